/** `mayfly completion fish`. */

import { quoteFish } from '../output/shell-quote.js'
import { type Entry, type Flag, GLOBAL_FLAGS } from './command-table.js'
import { formatHeading } from './shell-script.js'

export function createFishCompletion(entries: Entry[]): string {
  const valued = entries.flatMap(({ flags }) =>
    [...flags, ...GLOBAL_FLAGS].filter(({ completes }) => completes !== 'none'),
  )
  const names = [...new Set(valued.flatMap(({ names }) => names))]
  const commands = entries.flatMap(({ path }) => (path === '' ? [] : quoteFish(path)))
  return `${formatHeading('fish', 'mayfly completion fish | source')}
set -g __mayfly_valued ${names.join(' ')}
set -g __mayfly_commands ${commands.join(' ')}

# True when the command typed so far is $argv[1].
function __mayfly_at
  set -l at ''
  set -l is_value 0
  for word in (commandline -opc)[2..]
    if test $is_value = 1
      set is_value 0
    else if string match -q -- '-*' $word
      contains -- $word $__mayfly_valued; and set is_value 1
    else
      set -l longer (string trim -- "$at $word")
      contains -- $longer $__mayfly_commands; and set at $longer
    end
  end
  test "$at" = "$argv[1]"
end

complete -c mayfly -e
${GLOBAL_FLAGS.map((flag) => `complete -c mayfly ${formatFlag(flag)}`).join('\n')}
${entries.map(formatEntry).join('\n')}
`
}

function formatEntry({ path, next, flags, argument }: Entry): string {
  const when = `complete -c mayfly -n ${quoteFish(`__mayfly_at ${quoteFish(path)}`)}`
  return [
    ...(argument === 'file' ? [] : [`${when} -f`]),
    ...next.map(([word, summary]) => `${when} -a ${word} -d ${quoteFish(summary)}`),
    ...flags.map((flag) => `${when} ${formatFlag(flag)}`),
  ].join('\n')
}

function formatFlag({ names, description, completes, words }: Flag): string {
  const typed = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  return [...typed, ...formatValueCompletion(completes, words), '-d', quoteFish(description)].join(' ')
}

function formatValueCompletion(completes: Flag['completes'], words: string[]): string[] {
  if (completes === 'none') return []
  if (completes === 'file') return ['-r', '-F']
  if (completes === 'folder') return ['-x', '-a', quoteFish('(__fish_complete_directories)')]
  return completes === 'words' ? ['-x', '-a', quoteFish(words.join(' '))] : ['-x']
}
