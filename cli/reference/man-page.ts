/** Creates man pages in roff: one for the program and one per command. */

import type { Catalog } from '../commands/command.js'
import { CliError, EXIT, OUTCOME_DESCRIPTIONS, type Outcome } from '../lib/cli-error.js'
import { version } from '../lib/version.js'
import { type Entry, type Flag, GLOBAL_FLAGS, listEntries } from './command-table.js'
import { TOPICS } from './help-topics.js'
import { toSentence } from './markdown.js'

/** Returns all pages by file name, such as `mayfly-secret-create.1`. */
export function createManPages(catalog: Catalog): Record<string, string> {
  const all = listEntries(catalog).filter(hasPage)
  return Object.fromEntries(all.map((entry) => [`${getPageName(entry)}.1`, formatPage(entry, all)]))
}

/** Returns the page of a command; without words the page of the program. Throws CliError `usage`. */
export function createManPage(words: string[], catalog: Catalog): string {
  const all = listEntries(catalog).filter(hasPage)
  const entry = all.find(({ path }) => path === words.join(' '))
  if (!entry) throw new CliError('usage', 'unknown command', 'see mayfly --help')
  return formatPage(entry, all)
}

/** True for the program and for commands. Groups have no page. */
const hasPage = ({ path, command }: Entry) => path === '' || command !== null

const getPageName = ({ path }: Entry) => ['mayfly', ...path.split(' ')].filter((word) => word !== '').join('-')

function formatPage(entry: Entry, all: Entry[]): string {
  const summary = entry.summary || 'share secrets through links that work once'
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
    '.SH "EXIT STATUS"',
    'See',
    '.BR mayfly (1).',
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
    escapeRoff('A secret is encrypted on the machine of its sender. Its link opens it a limited number of times.'),
    escapeRoff('Results go to stdout; all messages go to stderr.'),
    '.SH COMMANDS',
    ...commands.flatMap((entry) => [
      '.TP',
      `.BR ${escapeRoff(getPageName(entry))} (1)`,
      escapeRoff(toSentence(entry.summary)),
    ]),
    '.SH OPTIONS',
    escapeRoff('Flags of every command.'),
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
  escapeRoff(toSentence(fallback === undefined ? description : `${description} (default: ${fallback})`)),
]

/** True for another command of the same group. */
const isInSameGroup = ({ path, command }: Entry, other: string) =>
  command !== null && path !== other && path.includes(' ') && path.split(' ')[0] === other.split(' ')[0]

/** Escapes roff requests and escapes. Hyphens stay ASCII, so that examples can be copied. */
const escapeRoff = (plain: string): string =>
  plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
