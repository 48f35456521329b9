/** Helpers for completion scripts. */
import { quotePosix } from '../output/shell-quote.js'
import { type Entry, type Flag, GLOBAL_FLAGS } from './command-table.js'

/** Returns the first lines of a script: title and usage. */
export const formatHeading = (shell: string, use: string): string =>
  `# Completions of mayfly for ${shell}, printed by \`mayfly completion ${shell}\`. To use them:\n#   ${use}\n`

/** Returns the flags of a command and the global flags. */
export const listFlags = (entry: Entry): Flag[] => [...entry.flags, ...GLOBAL_FLAGS]

/** Formats the branches of a `case` for bash and zsh. Patterns with the same value share a branch. */
export function formatCases(cases: [patterns: string[], value: string][], act: (value: string) => string): string {
  const byValue = new Map<string, string[]>()
  for (const [patterns, value] of cases) byValue.set(value, [...(byValue.get(value) ?? []), ...patterns])
  return [...byValue]
    .filter(([value]) => value !== '')
    .map(([value, patterns]) => `    ${patterns.map(quotePosix).join(' | ')}) ${act(value)} ;;`)
    .join('\n')
}
