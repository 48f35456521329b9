/** `mayfly completion zsh`. */

import { quotePosix } from '../output/shell-quote.js'
import type { Entry, Flag } from './command-table.js'
import { formatCases, formatHeading, listFlags } from './shell-script.js'

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
  const next = entries.map(({ path, next, argument }): [string[], string] => {
    return [[path], argument === 'file' ? quotePosix(':file') : next.map(formatDescription).join(' ')]
  })
  const flags = entries.map((entry): [string[], string] => [
    [entry.path],
    listFlags(entry)
      .flatMap((flag) => flag.names.map((name) => formatDescription([name, flag.description])))
      .join(' '),
  ])
  const values = entries.flatMap((entry) =>
    listFlags(entry)
      .filter(({ completes }) => completes !== 'none')
      .map((flag): [string[], string] => [flag.names.map((name) => `${entry.path} ${name}`), formatValues(flag)]),
  )
  return `#compdef mayfly
${formatHeading('zsh', 'source <(mayfly completion zsh)   # or save it as _mayfly in a folder of $fpath')}
# Sets reply to the words that may follow a command, with descriptions.
_mayfly_next() {
  case "$1" in
${formatCases(next, (words) => `reply=(${words})`)}
    *) reply=() ;;
  esac
}

_mayfly_flags() {
  case "$1" in
${formatCases(flags, (words) => `reply=(${words})`)}
    *) reply=() ;;
  esac
}

# Sets reply to the values of a flag: words, :file, :folder, :text, or nothing.
_mayfly_takes() {
  case "$1" in
${formatCases(values, (words) => `reply=(${words})`)}
    *) reply=() ;;
  esac
}

${COMPLETE}`
}

const formatDescription = ([word, summary]: [string, string]) => quotePosix(`${word}:${summary}`)

const formatValues = ({ completes, words }: Flag) =>
  (completes === 'words' ? words : [`:${completes}`]).map(quotePosix).join(' ')
