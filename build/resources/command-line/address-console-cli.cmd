@echo off
rem Address Console without a window. "address-console-cli help" says what it does.
rem Called from a batch file, so that the shell waits for a program that has a window of its own otherwise.
"%~dp0..\..\Address Console.exe" --command-line -- %*
exit /b %ERRORLEVEL%
