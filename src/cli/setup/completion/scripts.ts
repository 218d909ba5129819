/** Shells that have a script. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** One of them. */
export type Shell = (typeof SHELLS)[number];

/**
 * What a shell loads: it hands the words of the line over and shows what comes back, a candidate in
 * each line with a tab before what it is, or `:files`. Nothing of the line is run or expanded.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_papayu() {
  local line word words=()
  COMPREPLY=()
  # Bash cuts a word at "=", which stands alone then.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [ "$word" = = ] || words+=("$word")
  done
  [ "$word" != = ] || words+=("")
  while IFS= read -r line; do
    if [ "$line" = :files ]; then
      compopt -o default 2>/dev/null
      COMPREPLY=()
      return
    fi
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(papayu completion --words -- "\${words[@]}" 2>/dev/null)
}
complete -F _papayu papayu
`,
  zsh: `#compdef papayu
_papayu() {
  local line
  local -a found
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(papayu completion --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe papayu found
}
if [ "$funcstack[1]" = _papayu ]; then _papayu "$@"; else compdef _papayu papayu; fi
`,
  fish: `function __papayu_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (papayu completion --words -- $words[2..-1] 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c papayu -f -a '(__papayu_complete)'
`,
};
