/** `mayfly completion fish`. */

import { type Entry, type Flag, GLOBAL_FLAGS } from './command-table.js'
import { heading } from './shell-script.js'

export function fishCompletion(entries: Entry[]): string {
  const valued = entries.flatMap(({ flags }) =>
    [...flags, ...GLOBAL_FLAGS].filter(({ completes }) => completes !== 'none'),
  )
  const names = [...new Set(valued.flatMap(({ names }) => names))]
  const commands = entries.flatMap(({ path }) => (path === '' ? [] : quoted(path)))
  return `${heading('fish', 'mayfly completion fish | source')}
set -g __mayfly_valued ${names.join(' ')}
set -g __mayfly_commands ${commands.join(' ')}

# The command that has been typed so far.
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
${GLOBAL_FLAGS.map((flag) => `complete -c mayfly ${flagOf(flag)}`).join('\n')}
${entries.map(linesOf).join('\n')}
`
}

function linesOf({ path, next, flags, argument }: Entry): string {
  const when = `complete -c mayfly -n ${quoted(`__mayfly_at ${quoted(path)}`)}`
  return [
    ...(argument === 'file' ? [] : [`${when} -f`]),
    ...next.map(([word, summary]) => `${when} -a ${word} -d ${quoted(summary)}`),
    ...flags.map((flag) => `${when} ${flagOf(flag)}`),
  ].join('\n')
}

function flagOf({ names, description, completes, words }: Flag): string {
  const typed = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  return [...typed, ...takes(completes, words), '-d', quoted(description)].join(' ')
}

function takes(completes: Flag['completes'], words: string[]): string[] {
  if (completes === 'none') return []
  if (completes === 'file') return ['-r', '-F']
  if (completes === 'folder') return ['-x', '-a', quoted('(__fish_complete_directories)')]
  return completes === 'words' ? ['-x', '-a', quoted(words.join(' '))] : ['-x']
}

/** In single quotes, as fish reads it. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
