/** `mayfly completion bash`. */

import { quotePosix } from '../output/shell-quote.js'
import type { Entry } from './command-table.js'
import { formatFunctions, formatHeading } from './shell-script.js'

/** The completion function, which finds the command before the cursor and asks the generated functions about it. */
const COMPLETE = `_mayfly() {
  local REPLY path='' flag='' key='' values word i
  local cur=\${COMP_WORDS[COMP_CWORD]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    # bash splits --flag=value into three words.
    if [[ $word == '=' ]]; then continue; fi
    if [[ -n $flag ]]; then flag=; continue; fi
    case $word in
      --)
        compopt -o default 2> /dev/null
        return
        ;;
      -*)
        _mayfly_takes "$path $word"
        if [[ -n $REPLY ]]; then flag=$word; fi
        ;;
      *)
        _mayfly_next "$path"
        if [[ " $REPLY " == *" $word "* ]]; then path=\${path:+$path }$word; fi
        ;;
    esac
  done
  if [[ $cur == '=' ]]; then
    key=\${COMP_WORDS[COMP_CWORD - 1]}
    cur=
  elif ((COMP_CWORD > 1)) && [[ \${COMP_WORDS[COMP_CWORD - 1]} == '=' ]]; then
    key=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  local IFS=$' \\t\\n'
  if [[ -n $flag ]]; then
    _mayfly_takes "$path $flag"
  elif [[ $cur == -* ]]; then
    _mayfly_flags "$path"
  else
    _mayfly_next "$path"
    if [[ -n $key ]]; then
      values=
      for word in $REPLY; do
        if [[ $word == "$key="* ]]; then values="$values \${word#*=}"; fi
      done
      REPLY=$values
    fi
  fi
  case $REPLY in
    :text) COMPREPLY=() ;;
    :file | :folder)
      compopt -o filenames 2> /dev/null
      IFS=$'\\n'
      # shellcheck disable=SC2207 # split at line ends: names may contain spaces
      if [[ $REPLY == :file ]]; then COMPREPLY=($(compgen -f -- "$cur")); else COMPREPLY=($(compgen -d -- "$cur")); fi
      ;;
    *)
      # shellcheck disable=SC2207 # no word contains a space
      COMPREPLY=($(compgen -W "$REPLY" -- "$cur"))
      if [[ \${COMPREPLY[0]:-} == *= ]]; then compopt -o nospace 2> /dev/null; fi
      ;;
  esac
}

complete -F _mayfly mayfly
`

export function createBashCompletion(entries: Entry[]): string {
  const functions = formatFunctions(entries, {
    variable: 'REPLY',
    formatWords: (words) => words.map(([word]) => word).join(' '),
    assign: (words) => `REPLY=${words && quotePosix(words)}`,
  })
  return `${formatHeading('bash', 'source <(mayfly completion bash)')}
${functions}
${COMPLETE}`
}
