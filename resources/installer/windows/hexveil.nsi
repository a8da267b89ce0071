; Installer for Windows, for one person, without administrator rights. UNTESTED: docs/building.md.
;
;   makensis /DVERSION=0.1.0 /DSOURCE=..\..\..\dist\hexveil resources\installer\windows\hexveil.nsi

Unicode true
!include "MUI2.nsh"
!include "FileFunc.nsh"

!ifndef VERSION
  !error "name the version: /DVERSION=0.1.0"
!endif
!ifndef SOURCE
  !define SOURCE "..\..\..\dist\hexveil"
!endif
!ifndef TARGET
  !define TARGET "..\..\..\dist\hexveil-${VERSION}-setup.exe"
!endif
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Hexveil"
!define CLASSES "Software\Classes"

Name "Hexveil ${VERSION}"
OutFile "${TARGET}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Hexveil"
SetCompressor /SOLID lzma

!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

Section "Hexveil"
  ; An upgrade replaces the program as a whole. Ledger, keys and settings are in the person's
  ; application data (%LOCALAPPDATA%\hexveil) and are not touched.
  IfFileExists "$INSTDIR\hexveil-window.exe" 0 +2
    RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "${SOURCE}\*.*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Hexveil.lnk" "$INSTDIR\hexveil-window.exe"

  WriteRegStr HKCU "${CLASSES}\Hexveil.Spec" "" "Hexveil release spec"
  WriteRegStr HKCU "${CLASSES}\Hexveil.Spec\shell\open\command" "" '"$INSTDIR\hexveil-window.exe" --open "%1"'
  ; Windows knows endings without a second dot only: *.toml is offered under "Open with", *.minisig opens
  WriteRegStr HKCU "${CLASSES}\.toml\OpenWithProgids" "Hexveil.Spec" ""
  WriteRegStr HKCU "${CLASSES}\Hexveil.Bundle" "" "Signature of a release bundle"
  WriteRegStr HKCU "${CLASSES}\Hexveil.Bundle\shell\open\command" "" '"$INSTDIR\hexveil-window.exe" --open "%1"'
  WriteRegStr HKCU "${CLASSES}\.minisig" "" "Hexveil.Bundle"
  WriteRegStr HKCU "${CLASSES}\Directory\shell\Hexveil" "" "Verify with Hexveil"
  WriteRegStr HKCU "${CLASSES}\Directory\shell\Hexveil\command" "" '"$INSTDIR\hexveil-window.exe" --open "%1"'

  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Hexveil"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\hexveil-window.exe"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" "$0"
SectionEnd

Section "Uninstall"
  ; Only what was installed: the folder may have been chosen with other files in it.
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\licences"
  Delete "$INSTDIR\hexveil.exe"
  Delete "$INSTDIR\hexveil-window.exe"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\THIRD_PARTY.md"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Hexveil.lnk"
  DeleteRegValue HKCU "${CLASSES}\.toml\OpenWithProgids" "Hexveil.Spec"
  DeleteRegKey HKCU "${CLASSES}\Hexveil.Spec"
  DeleteRegKey HKCU "${CLASSES}\Hexveil.Bundle"
  DeleteRegKey HKCU "${CLASSES}\.minisig"
  DeleteRegKey HKCU "${CLASSES}\Directory\shell\Hexveil"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
