; What the program itself writes for this user, and what Windows keeps of its notices. Run by the uninstaller.
!macro customUnInstall
  DeleteRegKey HKCU "Software\Classes\address-console"
  DeleteRegKey HKCU "Software\Classes\CLSID\{7C0B7E4D-1B0E-4B57-9C53-5D0C4C1F3A86}"
  DeleteRegKey HKCU "Software\Classes\AppUserModelId\app.address-console.desktop"
!macroend
