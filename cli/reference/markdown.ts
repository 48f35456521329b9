/** docs/cli.md, without its first lines: every command with its flags and examples. */
import type { Catalog } from '../commands/command.js'
import { type Entry, entries, type Flag, GLOBAL_FLAGS } from './command-table.js'

export function referenceOfCommands(catalog: Catalog): string {
  const commands = entries(catalog).filter(({ command }) => command !== null)
  const list = commands.map(
    ({ path, summary }) => `| [\`mayfly ${path}\`](#mayfly-${path.replaceAll(' ', '-')}) | ${cell(summary)} |`,
  )
  return [
    ['| command | |', '|---|---|', ...list, ''].join('\n'),
    `## Flags of every command\n\n${flagTable(GLOBAL_FLAGS)}`,
    ...commands.map(section),
  ].join('\n')
}

function section({ path, summary, command, flags }: Entry): string {
  const { argument, examples = [] } = command ?? {}
  const usage = ['mayfly', path, ...(flags.length > 0 ? ['[flags]'] : []), ...(argument ? [argument[0]] : [])].join(' ')
  const shown = examples.map(([does, line]) => `# ${does}\n${line}\n`)
  return [
    `## mayfly ${path}\n\n${sentence(summary)}\n\n\`${usage}\`\n`,
    ...(argument ? [`\`${argument[0]}\`: ${argument[1]}\n`] : []),
    ...(flags.length > 0 ? [flagTable(flags)] : []),
    `\`\`\`sh\n${shown.join('\n')}\`\`\`\n`,
  ].join('\n')
}

const flagTable = (flags: Flag[]): string =>
  [
    '| flag | default | |',
    '|---|---|---|',
    ...flags.map(({ flags, description, fallback }) => {
      return `| \`${cell(flags)}\` | ${fallback === undefined ? '' : `\`${cell(fallback)}\``} | ${cell(description)} |`
    }),
    '',
  ].join('\n')

const cell = (text: string): string => text.replaceAll('|', '\\|')

export const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
