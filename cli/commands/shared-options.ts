/** Options of several groups of commands. */
import type { Option } from './command.js'

/** Of commands that print a list. */
export const PAGE_OPTIONS: Option[] = [
  ['--skip <count>', 'number of entries to skip'],
  ['--take <count>', 'number of entries to print, up to 100'],
]

export const HEADER_OPTION: Option = ['--header', 'print column names in a pipe too']

export const SERVER_OPTION: Option = [
  '-s, --server <url>',
  'server to use (default: MAYFLY_SERVER, or `server` in the config file)',
]

/** Of commands that take a link, or an id with its server. */
export const SERVER_OF_ID_OPTION: Option = ['-s, --server <url>', 'server of the secret or request, if you pass an id']

export const PASSWORD_FD_OPTION: Option = ['--password-fd <number>', 'read the password from a file descriptor']

export const PASSWORD_OPTIONS: Option[] = [
  ['--password-file <file>', 'read the password from a file; - reads stdin'],
  PASSWORD_FD_OPTION,
]

/** Of commands that encrypt. */
export const FILE_OPTIONS: Option[] = [
  ['-f, --file <path...>', 'files to attach; - reads stdin unchanged. There is no text then, unless --text is given'],
  ['--name <name>', 'name of the file from stdin, or of the only file'],
]

export const TEXT_OPTIONS: Option[] = [
  ['--text <text>', 'the text; visible in `ps` to other users of the machine. With --file, - reads it from stdin'],
  ['--edit', 'write the text in $VISUAL or $EDITOR'],
]

/** Of commands that decrypt. */
export const OUTPUT_OPTIONS: Option[] = [
  [
    '-o, --output <file>',
    'write the text, or the only file if there is no text, to this file; - is stdout, also on a terminal',
  ],
  ['--out-dir <folder>', 'save files under their own names in this folder (default on a terminal: the working folder)'],
  ['--files', 'write only the files, not the text'],
  ['--text-only', 'write only the text, not the files'],
]

export const KEY_FILE_OPTION: Option = ['--key-file <file>', 'read the key from a file, if it was sent separately']
