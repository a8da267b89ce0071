; Installer for Windows, for one person, without administrator rights (build.sh calls it).
;
;   hexveil-VERSION-setup.exe [/S] [/D=C:\folder]     /S: silent; exit code 0, or 2 where Hexveil is running
;   uninstall.exe [/S]
;
; The program lies in one folder, which an upgrade replaces as a whole. Ledger, keys and settings are in the
; person's application data (%LOCALAPPDATA%\hexveil): neither upgrade nor removal touches them.

Target amd64-unicode
Unicode true
!include "MUI2.nsh"
!include "FileFunc.nsh"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Hexveil"
!define CLASSES "Software\Classes"
!define FOLDER "Software\Hexveil"

Name "Hexveil ${VERSION}"
OutFile "${TARGET}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Hexveil"
InstallDirRegKey HKCU "${FOLDER}" "Folder"
SetCompressor lzma
SetCompressorDictSize 32
ManifestSupportedOS Win10
ManifestLongPathAware true
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Hexveil"
VIAddVersionKey "FileDescription" "Installs Hexveil"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "MIT licence"

!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; Who replaces a program that is running leaves one that is half old and half new.
!macro RefuseWhileRunning
  retry:
  IfFileExists "$INSTDIR\hexveil-window.exe" 0 free
  ClearErrors
  FileOpen $0 "$INSTDIR\hexveil-window.exe" a
  IfErrors held
  FileClose $0
  ClearErrors
  FileOpen $0 "$INSTDIR\hexveil.exe" a
  IfErrors held
  FileClose $0
  Goto free
  held:
    SetErrorLevel 2
    IfSilent quit
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION \
      "Hexveil is running. Close its windows, then retry: nothing has been changed." IDRETRY retry
  quit:
    Quit
  free:
!macroend

!macro RemoveProgram
  RMDir /r "$INSTDIR\python"
  RMDir /r "$INSTDIR\packages"
  RMDir /r "$INSTDIR\app"
  RMDir /r "$INSTDIR\licences"
  Delete "$INSTDIR\hexveil.exe"
  Delete "$INSTDIR\hexveil-window.exe"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\THIRD_PARTY.md"
!macroend

Section "Hexveil"
  !insertmacro RefuseWhileRunning
  !insertmacro RemoveProgram
  SetOutPath "$INSTDIR"
  File /r "${SOURCE}\*.*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Hexveil.lnk" "$INSTDIR\hexveil-window.exe"
  WriteRegStr HKCU "${FOLDER}" "Folder" "$INSTDIR"

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
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" "$0"
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

Section "Uninstall"
  !insertmacro RefuseWhileRunning
  ; Only what was installed: the folder may have been chosen with other files in it.
  !insertmacro RemoveProgram
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Hexveil.lnk"
  DeleteRegValue HKCU "${CLASSES}\.toml\OpenWithProgids" "Hexveil.Spec"
  DeleteRegKey HKCU "${CLASSES}\Hexveil.Spec"
  DeleteRegKey HKCU "${CLASSES}\Hexveil.Bundle"
  DeleteRegKey HKCU "${CLASSES}\.minisig"
  DeleteRegKey HKCU "${CLASSES}\Directory\shell\Hexveil"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "${FOLDER}"
SectionEnd
