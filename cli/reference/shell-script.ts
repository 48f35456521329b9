/** What the scripts of several shells share. */
import { type Entry, type Flag, GLOBAL_FLAGS } from './command-table.js'

/** First lines of a script: what it is, and how to use it. */
export const formatHeading = (shell: string, use: string): string =>
  `# Completions of mayfly for ${shell}, written by \`mayfly completion ${shell}\`. To use them:\n#   ${use}\n`

/** A flag that stands alone for the program takes the same with every command. */
export const listFlags = (entry: Entry): Flag[] => [...entry.flags, ...GLOBAL_FLAGS]

/** In single quotes, as POSIX shells read it. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Lines of a `case`, for bash and zsh. What leads to the same is one line. */
export function formatCases(cases: [patterns: string[], value: string][], act: (value: string) => string): string {
  const byValue = new Map<string, string[]>()
  for (const [patterns, value] of cases) byValue.set(value, [...(byValue.get(value) ?? []), ...patterns])
  return [...byValue]
    .filter(([value]) => value !== '')
    .map(([value, patterns]) => `    ${patterns.map(quote).join(' | ')}) ${act(value)} ;;`)
    .join('\n')
}
