/** `mayfly completion zsh`. */

import { quotePosix } from '../output/shell-quote.js'
import type { Entry } from './command-table.js'
import { formatFunctions, formatHeading } from './shell-script.js'

/** The completion function, which finds the command before the cursor and asks the generated functions about it. */
const COMPLETE = `_mayfly() {
  local -a reply
  local at= flag= word i
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $flag ]]; then flag=; continue; fi
    case $word in
      --) _normal -p mayfly; return ;;
      -*=*) ;;
      -*)
        _mayfly_takes "$at $word"
        if (( $#reply )); then flag=$word; fi
        ;;
      *)
        _mayfly_next "$at"
        reply=(\${reply%%:*})
        if (( $reply[(Ie)$word] )); then at=\${at:+$at }$word; fi
        ;;
    esac
  done
  if [[ $words[CURRENT] == --*=* ]]; then
    flag=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  if [[ -n $flag ]]; then
    _mayfly_takes "$at $flag"
    case $reply[1] in
      :file) _files ;;
      :folder) _files -/ ;;
      :text) _message value ;;
      *) compadd -a reply ;;
    esac
  elif [[ $words[CURRENT] == -* ]]; then
    _mayfly_flags "$at"
    _describe flag reply
  else
    _mayfly_next "$at"
    if [[ $reply[1] == :file ]]; then _files; elif (( $#reply )); then _describe command reply; fi
  fi
}

if [[ $funcstack[1] == _mayfly ]]; then _mayfly "$@"; else compdef _mayfly mayfly; fi
`

export function createZshCompletion(entries: Entry[]): string {
  const functions = formatFunctions(entries, {
    variable: 'reply',
    formatWords: (words) => words.map((word) => quotePosix(word.join(':'))).join(' '),
    assign: (words) => `reply=(${words})`,
  })
  return `#compdef mayfly
${formatHeading('zsh', 'source <(mayfly completion zsh)   # or save it as _mayfly in a folder of $fpath')}
${functions}
${COMPLETE}`
}
