; A silent update of this user's own installation is of that one alone. electron-builder's installer asks for an administrator, and installs for
; everyone in its place, wherever there is an installation for everyone too.
!macro customInit
  ${if} ${isUpdated}
  ${andIf} $hasPerUserInstallation == "1"
    StrCpy $hasPerMachineInstallation "0"
  ${endIf}
  !insertmacro refuseDataFolder "$LOCALAPPDATA\${APP_FILENAME}"
!macroend

; The program's data of this user are there (electron/platform/data-folder.ts): with the program they would be removed, by a newer version too.
!macro refuseDataFolder FOLDER
  ${if} $installMode == "CurrentUser"
  ${andIf} $INSTDIR == "${FOLDER}"
    MessageBox MB_OK|MB_ICONSTOP "${PRODUCT_NAME} keeps its data in the folder $LOCALAPPDATA\${APP_FILENAME}, so it cannot be installed there: each newer version, and removing the program, would delete them. Start this again with another folder. If the program is there already, copy its data to another place and remove the program first." /SD IDOK
    SetErrorLevel 2
    Quit
  ${endIf}
!macroend

; A folder without the program's name in it gets that after this (instFilesPre of electron-builder).
!macro customPageAfterChangeDir
  Page custom leaveDataFolder
  Function leaveDataFolder
    !insertmacro refuseDataFolder "$LOCALAPPDATA\${APP_FILENAME}"
    !insertmacro refuseDataFolder "$LOCALAPPDATA"
    Abort
  FunctionEnd
!macroend

; By this file the program knows that it is not one user's to replace (electron/platform/install-place.ts).
!macro customInstall
  ${if} $installMode == "all"
    FileOpen $0 "$INSTDIR\resources\for-everyone" w
    FileClose $0
  ${endIf}
!macroend

; What the program itself writes for this user, and what Windows keeps of its notices. Run by the uninstaller; by that of an older version
; too, while a newer one is installed: then it all stays.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\address-console"
    DeleteRegKey HKCU "Software\Classes\CLSID\{7C0B7E4D-1B0E-4B57-9C53-5D0C4C1F3A86}"
    DeleteRegKey HKCU "Software\Classes\AppUserModelId\app.address-console.desktop"
    ; The installer leaves a copy of itself there, for updates by parts, which this program does not make.
    SetShellVarContext current
    RMDir /r "$LOCALAPPDATA\address-console-updater"
    ${if} $installMode == "all"
      SetShellVarContext all
    ${endIf}
    ; With the first notice Electron writes a shortcut of this user's. Installed for this user it is the installer's own, which
    ; electron-builder's uninstaller takes off the task bar and removes.
    ${if} $installMode == "all"
      SetShellVarContext current
      Delete "$SMPROGRAMS\${PRODUCT_NAME}.lnk"
      SetShellVarContext all
    ${endIf}
  ${endIf}
!macroend
