/** Man pages, in the man macros of roff: one for the program, one for each command. */

import type { Catalog } from '../commands/command.js'
import { CliError, EXIT, OUTCOME_DESCRIPTIONS, type Outcome } from '../lib/cli-error.js'
import { version } from '../lib/version.js'
import { type Entry, type Flag, GLOBAL_FLAGS, listEntries } from './command-table.js'
import { TOPICS } from './help-topics.js'
import { toSentence } from './markdown.js'

/** File name to content, `mayfly-secret-create.1`. */
export function createManPages(catalog: Catalog): Record<string, string> {
  const all = listEntries(catalog).filter(hasPage)
  return Object.fromEntries(all.map((entry) => [`${getPageName(entry)}.1`, formatPage(entry, all)]))
}

/** The page of a command; of the program without words. Throws CliError `usage`. */
export function createManPage(words: string[], catalog: Catalog): string {
  const all = listEntries(catalog).filter(hasPage)
  const entry = all.find(({ path }) => path === words.join(' '))
  if (!entry) throw new CliError('usage', 'there is no man page of that', 'mayfly --help lists the commands')
  return formatPage(entry, all)
}

/** The program, and what can be run. */
const hasPage = ({ path, command }: Entry) => path === '' || command !== null

const getPageName = ({ path }: Entry) => ['mayfly', ...path.split(' ')].filter((word) => word !== '').join('-')

function formatPage(entry: Entry, all: Entry[]): string {
  const summary = entry.summary || 'share secrets that live once'
  const sections = entry.command ? formatCommandSections(entry, all) : formatProgramSections(all)
  return [
    `.TH ${getPageName(entry).toUpperCase().replaceAll('-', '\\-')} 1 "" "mayfly ${version}" "Mayfly"`,
    '.SH NAME',
    `${escapeRoff(getPageName(entry))} \\- ${escapeRoff(summary)}`,
    ...sections,
    '',
  ].join('\n')
}

function formatCommandSections({ path, summary, command, flags }: Entry, all: Entry[]): string[] {
  const { argument, examples = [] } = command ?? {}
  const related = ['mayfly', ...all.flatMap((each) => (isInSameGroup(each, path) ? getPageName(each) : []))]
  return [
    '.SH SYNOPSIS',
    `.B mayfly ${escapeRoff(path)}`,
    ...(flags.length > 0 ? ['[\\fIflags\\fR]'] : []),
    ...(argument ? [`\\fI${escapeRoff(argument[0])}\\fR`] : []),
    '.SH DESCRIPTION',
    escapeRoff(toSentence(summary)),
    ...(argument ? ['.TP', `\\fI${escapeRoff(argument[0])}\\fR`, escapeRoff(toSentence(argument[1]))] : []),
    ...(flags.length > 0 ? ['.SH OPTIONS', ...flags.flatMap(formatFlag)] : []),
    '.SH "GLOBAL OPTIONS"',
    ...GLOBAL_FLAGS.flatMap(formatFlag),
    '.SH EXAMPLES',
    ...examples.flatMap(([does, line]) => [
      '.PP',
      `${escapeRoff(toSentence(does))}`,
      '.PP',
      '.nf',
      '.RS',
      escapeRoff(line),
      '.RE',
      '.fi',
    ]),
    '.SH "SEE ALSO"',
    related.map((name) => `.BR ${escapeRoff(name)} (1)`).join('\n'),
  ]
}

function formatProgramSections(all: Entry[]): string[] {
  const commands = all.filter(({ command }) => command !== null)
  const codes = Object.keys(EXIT) as Outcome[]
  return [
    '.SH SYNOPSIS',
    '.B mayfly',
    '\\fIcommand\\fR [\\fIflags\\fR]',
    '.SH DESCRIPTION',
    escapeRoff(
      'A secret is encrypted where it is made. Its link opens it as often as its sender said, and then it is gone.',
    ),
    escapeRoff('Results go to stdout and nothing else does; everything for people goes to stderr.'),
    '.SH COMMANDS',
    ...commands.flatMap((entry) => [
      '.TP',
      `.BR ${escapeRoff(getPageName(entry))} (1)`,
      escapeRoff(toSentence(entry.summary)),
    ]),
    '.SH OPTIONS',
    escapeRoff('Every command takes these.'),
    ...GLOBAL_FLAGS.flatMap(formatFlag),
    '.SH "EXIT STATUS"',
    ...codes.flatMap((code) => ['.TP', String(EXIT[code]), escapeRoff(toSentence(OUTCOME_DESCRIPTIONS[code]))]),
    '.SH ENVIRONMENT',
    '.nf',
    escapeRoff(TOPICS.environment as string).trimEnd(),
    '.fi',
    '.SH EXAMPLES',
    '.nf',
    escapeRoff(TOPICS.examples as string).trimEnd(),
    '.fi',
  ]
}

const formatFlag = ({ flags, description, fallback }: Flag): string[] => [
  '.TP',
  `\\fB${escapeRoff(flags)}\\fR`,
  escapeRoff(toSentence(fallback === undefined ? description : `${description}; ${fallback} without it`)),
]

/** Of the same group. */
const isInSameGroup = ({ path, command }: Entry, other: string) =>
  command !== null && path !== other && path.includes(' ') && path.split(' ')[0] === other.split(' ')[0]

/** What roff would take for a request or an escape is text; a hyphen stays what it is, so that it can be copied. */
const escapeRoff = (plain: string): string =>
  plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
