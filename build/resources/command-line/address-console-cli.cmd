@echo off
rem Address Console without a window. "address-console-cli help" says what it does.
rem Called from a batch file, so that the shell waits for a program that has a window of its own otherwise.
setlocal
rem It writes UTF-8, which the console shows as such only by this code page; the one before is set again. By its path: cmd.exe would run a
rem chcp of the current folder first.
set "before="
for /f "tokens=2 delims=:." %%p in ('%SystemRoot%\System32\chcp.com') do set "before=%%p"
if defined before "%SystemRoot%\System32\chcp.com" 65001 >nul
"%~dp0..\..\Address Console.exe" --command-line -- %*
set "ended=%ERRORLEVEL%"
if defined before "%SystemRoot%\System32\chcp.com" %before% >nul
exit /b %ended%
