/** Creates docs/cli.md without its introduction: every command with its flags and examples. */
import type { Catalog } from '../commands/command.js'
import { type Entry, type Flag, GLOBAL_FLAGS, listEntries } from './command-table.js'

export function createCommandReference(catalog: Catalog): string {
  const commands = listEntries(catalog).filter(({ command }) => command !== null)
  const list = commands.map(
    ({ path, summary }) => `| [\`mayfly ${path}\`](#mayfly-${path.replaceAll(' ', '-')}) | ${escapeCell(summary)} |`,
  )
  return [
    ['| command | |', '|---|---|', ...list, ''].join('\n'),
    `## Flags of every command\n\n${formatFlagTable(GLOBAL_FLAGS)}`,
    ...commands.map(formatSection),
  ].join('\n')
}

function formatSection({ path, summary, command, flags }: Entry): string {
  const { argument, examples = [] } = command ?? {}
  const usage = ['mayfly', path, ...(flags.length > 0 ? ['[flags]'] : []), ...(argument ? [argument[0]] : [])].join(' ')
  const exampleLines = examples.map(([does, line]) => `# ${does}\n${line}\n`)
  return [
    `## mayfly ${path}\n\n${toSentence(summary)}\n\n\`${usage}\`\n`,
    ...(argument ? [`\`${argument[0]}\`: ${argument[1]}\n`] : []),
    ...(flags.length > 0 ? [formatFlagTable(flags)] : []),
    `\`\`\`sh\n${exampleLines.join('\n')}\`\`\`\n`,
  ].join('\n')
}

const formatFlagTable = (flags: Flag[]): string =>
  [
    '| flag | default | |',
    '|---|---|---|',
    ...flags.map(({ flags, description, fallback }) => {
      return `| \`${escapeCell(flags)}\` | ${fallback === undefined ? '' : `\`${escapeCell(fallback)}\``} | ${escapeCell(description)} |`
    }),
    '',
  ].join('\n')

const escapeCell = (text: string): string => text.replaceAll('|', '\\|')

export const toSentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
