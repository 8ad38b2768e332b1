import { packagedProgram } from './surroundings.ts';

/**
 * Completion scripts for the four usual shells. Each calls `complete` for the words that may come next, so a new command, operation or field
 * needs no new script. Libraries for this (tabtab, omelette, @bomb.sh/tab) would need the commands to be declared a second time, in their form.
 */
export const completionScripts = {
  // A Mac's own bash is 3.2 and has no compopt: a blank after the = is then the user's to remove.
  bash: `_address_console() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(${packagedProgram} complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ \${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -o default -F _address_console ${packagedProgram}
`,
  // A plain ~/.zshrc, such as a Mac's, loads no completion system, and compdef would be unknown at each start of the shell.
  zsh: `#compdef ${packagedProgram}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
_address_console() {
  local -a found
  found=("\${(@f)$(${packagedProgram} complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n \${found[1]} ]] || { _files; return; }
  compadd -S '' -- "\${(M@)found:#*=}"
  compadd -- "\${(@)found:#*=}"
}
compdef _address_console ${packagedProgram}
`,
  fish: `function __address_console_complete
  set -l words (commandline -opc) (commandline -ct)
  ${packagedProgram} complete $words[2..-1] 2>/dev/null
end
complete -c ${packagedProgram} -n 'count (__address_console_complete) >/dev/null' -f -a '(__address_console_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName ${packagedProgram}, ${packagedProgram}.cmd -ScriptBlock {
  param($word, $command, $position)
  $words = @($command.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  # On Windows an empty line comes first, which Electron prints.
  # An empty word is lost on the way to a .cmd file unless it is quoted once more.
  $typed = if ($word -or $IsLinux -or $IsMacOS) { "$word" } else { '""' }
  ${packagedProgram} complete @words $typed 2>$null | Where-Object { $_ } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
} as const;

export type Shell = keyof typeof completionScripts;
export const shells = Object.keys(completionScripts) as Shell[];
