/** Helpers for completion scripts. */
import { quotePosix } from '../output/shell-quote.js'
import { type Entry, type Flag, GLOBAL_FLAGS } from './command-table.js'

/** Returns the first lines of a script: title and usage. */
export const formatHeading = (shell: string, use: string): string =>
  `# Completions of mayfly for ${shell}, printed by \`mayfly completion ${shell}\`. To use them:\n#   ${use}\n`

/** Returns the flags of a command and the global flags. */
export const listFlags = (entry: Entry): Flag[] => [...entry.flags, ...GLOBAL_FLAGS]

type Word = [word: string, description?: string]

/** How a shell writes the words that a function returns in a variable. */
interface ResultFormat {
  variable: string
  formatWords(words: Word[]): string
  assign(words: string): string
}

/** Defines the functions of bash and zsh that return what may follow a command or a flag. */
export function formatFunctions(entries: Entry[], { variable, formatWords, assign }: ResultFormat): string {
  const next = entries.map(({ path, next, argument }): Case => {
    return [[path], formatWords(argument === 'file' ? [[':file']] : next)]
  })
  const flags = entries.map((entry): Case => {
    const words = listFlags(entry).flatMap(({ names, description }) => names.map((name): Word => [name, description]))
    return [[entry.path], formatWords(words)]
  })
  const values = entries.flatMap((entry) =>
    listFlags(entry)
      .filter(({ completes }) => completes !== 'none')
      .map(({ names, completes, words }): Case => {
        const values = completes === 'words' ? words : [`:${completes}`]
        return [names.map((name) => `${entry.path} ${name}`), formatWords(values.map((value): Word => [value]))]
      }),
  )
  const formatFunction = (name: string, cases: Case[]) => `${name}() {
  case "$1" in
${formatCases(cases, assign)}
    *) ${assign('')} ;;
  esac
}
`
  return `# Sets ${variable} to the words that may follow a command.
${formatFunction('_mayfly_next', next)}
${formatFunction('_mayfly_flags', flags)}
# Sets ${variable} to the values of a flag: words, :file, :folder, :text, or nothing.
${formatFunction('_mayfly_takes', values)}`
}

type Case = [patterns: string[], words: string]

/** Patterns with the same words share a branch. */
function formatCases(cases: Case[], assign: (words: string) => string): string {
  const byWords = new Map<string, string[]>()
  for (const [patterns, words] of cases) byWords.set(words, [...(byWords.get(words) ?? []), ...patterns])
  return [...byWords]
    .filter(([words]) => words !== '')
    .map(([words, patterns]) => `    ${patterns.map(quotePosix).join(' | ')}) ${assign(words)} ;;`)
    .join('\n')
}
