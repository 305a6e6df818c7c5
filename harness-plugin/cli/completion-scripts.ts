/**
 * Scripts that make a shell request completions from `plugmark complete`. They pass the typed words on unchanged, and
 * evaluate neither them nor the answer. The answer has one value on each line, with a tab before its description, and a
 * last line that begins with a colon.
 */

/** Script for bash. Works without bash-completion and before bash 4. */
const bash = `# Put this into ~/.bashrc: source <(plugmark completions bash)
_plugmark() {
  local value word i current prefix= line=$COMP_LINE
  local -a words=()
  # bash splits a word at : and @ too, and replaces only what is behind the last of them.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i > 0)) && [[ $line != [[:space:]]* && $word != = && \${COMP_WORDS[i-1]} != = ]]; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
      line=\${line#"\${line%%[![:space:]]*}"}
    fi
    line=\${line#"$word"}
  done
  current=\${words[\${#words[@]}-1]}
  [[ $COMP_WORDBREAKS != *:* ]] || prefix=\${current%"\${current##*:}"}
  [[ $COMP_WORDBREAKS != *@* || \${current#"$prefix"} != *@* ]] || prefix=\${current%"\${current##*@}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    [[ $value == :[0-9]* ]] || COMPREPLY+=("\${value#"$prefix"}")
  done < <(plugmark complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _plugmark plugmark`

const zsh = `#compdef plugmark
# Put this into ~/.zshrc, after compinit: source <(plugmark completions zsh)
_plugmark() {
  local line
  local -a values
  for line in "\${(@f)$(plugmark complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line || $line == :* ]] || values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#values )); then _describe plugmark values; else _files; fi
}
if [[ $funcstack[1] == _plugmark ]]; then
  _plugmark "$@"
elif (( $+functions[compdef] )); then
  compdef _plugmark plugmark
else
  print -u2 'plugmark: completion needs compinit: put "autoload -Uz compinit && compinit" before this line.'
fi`

const fish = `# Write this to ~/.config/fish/completions/plugmark.fish
function __plugmark_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    plugmark complete -- $words[2..-1] "$current" 2>/dev/null | string match -v ':*'
end
complete -c plugmark -e
complete -c plugmark -f -a '(__plugmark_complete)'`

const powershell = `# Put this into $PROFILE: plugmark completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName plugmark -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -le $cursorPosition } | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  & plugmark complete -- @words 2>$null | Where-Object { $_ -and $_ -notlike ':*' } | ForEach-Object {
    $value, $text = $_ -split "\`t", 2
    if (-not $text) { $text = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
  }
}`

export const COMPLETION_SCRIPTS = { bash, zsh, fish, powershell } as const
