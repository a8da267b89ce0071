; Installer for Windows, for one person, without administrator rights (build.sh calls it).
;
;   hexveil-VERSION-setup.exe [/S] [/D=C:\folder]     /S: silent; /D= comes last and takes no quotes
;   uninstall.exe [/S] [_?=C:\folder]                 _?=: waits for the end, and leaves uninstall.exe itself
;
; Exit codes: 0 done; 1 the person cancelled; 2 a file could not be written; 3 Hexveil is running; 4 the folder
; holds something else; 5 Windows is older than 10. With 2 to 5 the program that was there is as it was.
;
; Ledger, keys, settings and loaded records are in the person's application data (%LOCALAPPDATA%\hexveil):
; neither upgrade nor removal touches them.

Target amd64-unicode
Unicode true
!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "WinVer.nsh"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Hexveil"
!define CLASSES "Software\Classes"
!define FOLDER "Software\Hexveil"
!define COMING "hexveil-new"
!define LEAVING "hexveil-old"
!define IS_RUNNING 3
!define IS_FOREIGN 4
!define IS_OLD 5

Name "Hexveil ${VERSION}"
OutFile "${TARGET}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Hexveil"
InstallDirRegKey HKCU "${FOLDER}" "Folder"
; Larger than lzma would make it, in a seventh of its time.
SetCompressor zlib
AllowSkipFiles off
!ifdef SIGN
  !finalize '${SIGN} "%1"' = 0
  !uninstfinalize '${SIGN} "%1"' = 0
!endif
ManifestSupportedOS Win10
ManifestLongPathAware true
ManifestDPIAware true
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Hexveil"
VIAddVersionKey "FileDescription" "Installs Hexveil"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "MIT licence"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\hexveil-window.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Open Hexveil"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; One part of the program from one folder to another; the error flag says that it is held, or was held before.
!macro Move FROM TO PART
  ${If} ${FileExists} "${FROM}\${PART}"
    Rename "${FROM}\${PART}" "${TO}\${PART}"
  ${EndIf}
!macroend

!macro MoveProgram FROM TO
  !insertmacro Move "${FROM}" "${TO}" "hexveil.exe"
  !insertmacro Move "${FROM}" "${TO}" "hexveil-window.exe"
  !insertmacro Move "${FROM}" "${TO}" "python"
  !insertmacro Move "${FROM}" "${TO}" "packages"
  !insertmacro Move "${FROM}" "${TO}" "app"
  !insertmacro Move "${FROM}" "${TO}" "licences"
  !insertmacro Move "${FROM}" "${TO}" "LICENSE.txt"
  !insertmacro Move "${FROM}" "${TO}" "THIRD_PARTY.md"
!macroend

; The program in a folder beside, by its names; what else lies there stays, and with it the folder.
!macro RemoveProgram FOLDER
  Delete "${FOLDER}\hexveil.exe"
  Delete "${FOLDER}\hexveil-window.exe"
  RMDir /r "${FOLDER}\python"
  RMDir /r "${FOLDER}\packages"
  RMDir /r "${FOLDER}\app"
  RMDir /r "${FOLDER}\licences"
  Delete "${FOLDER}\LICENSE.txt"
  Delete "${FOLDER}\THIRD_PARTY.md"
  RMDir "${FOLDER}"
!macroend

; What was cut off while it changed the folders is taken back, part by part; a part that is in place stays there.
!macro TakeBack
  ${If} ${FileExists} "$INSTDIR\${LEAVING}\*.*"
    !insertmacro MoveProgram "$INSTDIR" "$INSTDIR\${COMING}"
    !insertmacro MoveProgram "$INSTDIR\${LEAVING}" "$INSTDIR"
  ${EndIf}
  !insertmacro RemoveProgram "$INSTDIR\${LEAVING}"
  !insertmacro RemoveProgram "$INSTDIR\${COMING}"
!macroend

; The program that is there goes into a folder beside it, whole or not at all: Windows lets nobody rename a
; folder of which a file is in use, nor write to a program that runs. Whoever asks may close it and try again.
!macro DefineSetAside PREFIX
Function ${PREFIX}SetAside
  retry:
  ClearErrors
  ${If} ${FileExists} "$INSTDIR\hexveil.exe"
    FileOpen $0 "$INSTDIR\hexveil.exe" a
    FileClose $0
  ${EndIf}
  ${If} ${FileExists} "$INSTDIR\hexveil-window.exe"
    FileOpen $0 "$INSTDIR\hexveil-window.exe" a
    FileClose $0
  ${EndIf}
  IfErrors held
  CreateDirectory "$INSTDIR\${LEAVING}"
  !insertmacro MoveProgram "$INSTDIR" "$INSTDIR\${LEAVING}"
  IfErrors held
  Return
  held:
  !insertmacro MoveProgram "$INSTDIR\${LEAVING}" "$INSTDIR"
  RMDir "$INSTDIR\${LEAVING}"
  MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION \
    "Hexveil is running. Close its windows and its commands, then retry: nothing has been changed." \
    /SD IDCANCEL IDRETRY retry
  !insertmacro RemoveProgram "$INSTDIR\${COMING}"
  SetErrorLevel ${IS_RUNNING}
  Quit
FunctionEnd
!macroend
!insertmacro DefineSetAside ""
!insertmacro DefineSetAside "un."

; A program that is running is told of at once, before anything is unpacked.
Function StopWhileRunning
  Call SetAside
  !insertmacro MoveProgram "$INSTDIR\${LEAVING}" "$INSTDIR"
  RMDir "$INSTDIR\${LEAVING}"
FunctionEnd

; What is not ours is neither replaced nor, one day, removed.
Function StopInForeignFolder
  ${If} ${FileExists} "$INSTDIR\hexveil.exe"
  ${OrIf} ${FileExists} "$INSTDIR\${COMING}\*.*"
  ${OrIf} ${FileExists} "$INSTDIR\${LEAVING}\*.*"
    Return
  ${EndIf}
  ${DirState} "$INSTDIR" $0
  ${If} $0 == 1
    MessageBox MB_OK|MB_ICONEXCLAMATION \
      "$INSTDIR is not empty and holds no Hexveil. Choose another folder: nothing has been changed." /SD IDOK
    SetErrorLevel ${IS_FOREIGN}
    Quit
  ${EndIf}
FunctionEnd

Function .onInit
  ${IfNot} ${AtLeastWin10}
    MessageBox MB_OK|MB_ICONSTOP "Hexveil needs Windows 10 or newer." /SD IDOK
    SetErrorLevel ${IS_OLD}
    Quit
  ${EndIf}
FunctionEnd

; The bytes of the program that was there come back where the new one could not be written.
Function .onInstFailed
  SetOutPath "$TEMP"
  !insertmacro RemoveProgram "$INSTDIR\${COMING}"
FunctionEnd

Section "Hexveil"
  Call StopInForeignFolder
  !insertmacro TakeBack
  Call StopWhileRunning
  SetOutPath "$INSTDIR\${COMING}"
  File /r "${SOURCE}\*.*"
  SetOutPath "$INSTDIR"
  Call SetAside
  ClearErrors
  !insertmacro MoveProgram "$INSTDIR\${COMING}" "$INSTDIR"
  ${If} ${Errors}
    !insertmacro MoveProgram "$INSTDIR" "$INSTDIR\${COMING}"
    !insertmacro MoveProgram "$INSTDIR\${LEAVING}" "$INSTDIR"
    RMDir "$INSTDIR\${LEAVING}"
    Abort "The new files could not be put in place: nothing has been changed."
  ${EndIf}
  RMDir "$INSTDIR\${COMING}"
  !insertmacro RemoveProgram "$INSTDIR\${LEAVING}"

  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Hexveil.lnk" "$INSTDIR\hexveil-window.exe"
  WriteRegStr HKCU "${FOLDER}" "Folder" "$INSTDIR"

  ; Windows knows endings without a second dot only: *.toml and *.minisig offer Hexveil under "Open with"
  WriteRegStr HKCU "${CLASSES}\Hexveil.Spec" "" "Hexveil release spec"
  WriteRegStr HKCU "${CLASSES}\Hexveil.Spec\DefaultIcon" "" "$INSTDIR\hexveil-window.exe,0"
  WriteRegStr HKCU "${CLASSES}\Hexveil.Spec\shell\open\command" "" '"$INSTDIR\hexveil-window.exe" --open "%1"'
  WriteRegStr HKCU "${CLASSES}\.toml\OpenWithProgids" "Hexveil.Spec" ""
  WriteRegStr HKCU "${CLASSES}\Hexveil.Bundle" "" "Signature of a release bundle"
  WriteRegStr HKCU "${CLASSES}\Hexveil.Bundle\DefaultIcon" "" "$INSTDIR\hexveil-window.exe,0"
  WriteRegStr HKCU "${CLASSES}\Hexveil.Bundle\shell\open\command" "" '"$INSTDIR\hexveil-window.exe" --open "%1"'
  WriteRegStr HKCU "${CLASSES}\.minisig\OpenWithProgids" "Hexveil.Bundle" ""
  WriteRegStr HKCU "${CLASSES}\Directory\shell\Hexveil" "" "Verify with Hexveil"
  WriteRegStr HKCU "${CLASSES}\Directory\shell\Hexveil" "Icon" "$INSTDIR\hexveil-window.exe,0"
  WriteRegStr HKCU "${CLASSES}\Directory\shell\Hexveil\command" "" '"$INSTDIR\hexveil-window.exe" --open "%1"'
  ${RefreshShellIcons}

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
  !insertmacro TakeBack
  Call un.SetAside
  ; Only what was installed: other files in the folder stay.
  SetOutPath "$TEMP"
  !insertmacro RemoveProgram "$INSTDIR\${LEAVING}"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Hexveil.lnk"
  DeleteRegValue HKCU "${CLASSES}\.toml\OpenWithProgids" "Hexveil.Spec"
  DeleteRegValue HKCU "${CLASSES}\.minisig\OpenWithProgids" "Hexveil.Bundle"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.toml\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.toml"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.minisig\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.minisig"
  DeleteRegKey HKCU "${CLASSES}\Hexveil.Spec"
  DeleteRegKey HKCU "${CLASSES}\Hexveil.Bundle"
  DeleteRegKey HKCU "${CLASSES}\Directory\shell\Hexveil"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "${FOLDER}"
  ${RefreshShellIcons}
SectionEnd
