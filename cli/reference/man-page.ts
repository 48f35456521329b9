/** Man pages, in the man macros of roff: one for the program, one for each command. */

import type { Catalog } from '../commands/command.js'
import { CliError, EXIT, MEANINGS, type Outcome } from '../lib/cli-error.js'
import { version } from '../lib/version.js'
import { type Entry, entries, type Flag, GLOBAL_FLAGS } from './command-table.js'
import { TOPICS } from './help-topics.js'
import { sentence } from './markdown.js'

/** File name to content, `mayfly-secret-create.1`. */
export function manPages(catalog: Catalog): Record<string, string> {
  const all = entries(catalog).filter(hasPage)
  return Object.fromEntries(all.map((entry) => [`${nameOf(entry)}.1`, pageOf(entry, all)]))
}

/** The page of a command; of the program without words. Throws CliError `usage`. */
export function manPage(words: string[], catalog: Catalog): string {
  const all = entries(catalog).filter(hasPage)
  const entry = all.find(({ path }) => path === words.join(' '))
  if (!entry) throw new CliError('usage', 'there is no man page of that', 'mayfly --help lists the commands')
  return pageOf(entry, all)
}

/** The program, and what can be run. */
const hasPage = ({ path, command }: Entry) => path === '' || command !== null

const nameOf = ({ path }: Entry) => ['mayfly', ...path.split(' ')].filter((word) => word !== '').join('-')

function pageOf(entry: Entry, all: Entry[]): string {
  const summary = entry.summary || 'share secrets that live once'
  const sections = entry.command ? commandSections(entry, all) : programSections(all)
  return [
    `.TH ${nameOf(entry).toUpperCase().replaceAll('-', '\\-')} 1 "" "mayfly ${version}" "Mayfly"`,
    '.SH NAME',
    `${text(nameOf(entry))} \\- ${text(summary)}`,
    ...sections,
    '',
  ].join('\n')
}

function commandSections({ path, summary, command, flags }: Entry, all: Entry[]): string[] {
  const { argument, examples = [] } = command ?? {}
  const related = ['mayfly', ...all.flatMap((each) => (isBeside(each, path) ? nameOf(each) : []))]
  return [
    '.SH SYNOPSIS',
    `.B mayfly ${text(path)}`,
    ...(flags.length > 0 ? ['[\\fIflags\\fR]'] : []),
    ...(argument ? [`\\fI${text(argument[0])}\\fR`] : []),
    '.SH DESCRIPTION',
    text(sentence(summary)),
    ...(argument ? ['.TP', `\\fI${text(argument[0])}\\fR`, text(sentence(argument[1]))] : []),
    ...(flags.length > 0 ? ['.SH OPTIONS', ...flags.flatMap(flagLines)] : []),
    '.SH "GLOBAL OPTIONS"',
    ...GLOBAL_FLAGS.flatMap(flagLines),
    '.SH EXAMPLES',
    ...examples.flatMap(([does, line]) => [
      '.PP',
      `${text(sentence(does))}`,
      '.PP',
      '.nf',
      '.RS',
      text(line),
      '.RE',
      '.fi',
    ]),
    '.SH "SEE ALSO"',
    related.map((name) => `.BR ${text(name)} (1)`).join('\n'),
  ]
}

function programSections(all: Entry[]): string[] {
  const commands = all.filter(({ command }) => command !== null)
  const codes = Object.keys(EXIT) as Outcome[]
  return [
    '.SH SYNOPSIS',
    '.B mayfly',
    '\\fIcommand\\fR [\\fIflags\\fR]',
    '.SH DESCRIPTION',
    text('A secret is encrypted where it is made. Its link opens it as often as its sender said, and then it is gone.'),
    text('Results go to stdout and nothing else does; everything for people goes to stderr.'),
    '.SH COMMANDS',
    ...commands.flatMap((entry) => ['.TP', `.BR ${text(nameOf(entry))} (1)`, text(sentence(entry.summary))]),
    '.SH OPTIONS',
    text('Every command takes these.'),
    ...GLOBAL_FLAGS.flatMap(flagLines),
    '.SH "EXIT STATUS"',
    ...codes.flatMap((code) => ['.TP', String(EXIT[code]), text(sentence(MEANINGS[code]))]),
    '.SH ENVIRONMENT',
    '.nf',
    text(TOPICS.environment as string).trimEnd(),
    '.fi',
    '.SH EXAMPLES',
    '.nf',
    text(TOPICS.examples as string).trimEnd(),
    '.fi',
  ]
}

const flagLines = ({ flags, description, fallback }: Flag): string[] => [
  '.TP',
  `\\fB${text(flags)}\\fR`,
  text(sentence(fallback === undefined ? description : `${description}; ${fallback} without it`)),
]

/** Of the same group. */
const isBeside = ({ path, command }: Entry, other: string) =>
  command !== null && path !== other && path.includes(' ') && path.split(' ')[0] === other.split(' ')[0]

/** What roff would take for a request or an escape is text; a hyphen stays what it is, so that it can be copied. */
const text = (plain: string): string =>
  plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
