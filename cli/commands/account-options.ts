/** Options that several commands about people take. */
import type { Option } from './command.js'

export const ACCOUNT_PASSWORD_OPTIONS: Option[] = [
  ['--generate', 'make the password up and print it, as without any of these'],
  ['--password', 'ask for it instead'],
  ['--password-file <file>', 'the same, from a file'],
  ['--password-fd <number>', 'the same, from a file descriptor'],
  ['--no-must-change', 'do not ask them to change it'],
  ['--send-link', 'print a link that opens once and holds the credentials, instead of the password'],
  ['--ttl <duration>', 'how long that link lives', '1d'],
]

export const PAGE_OPTIONS: Option[] = [
  ['--skip <count>', 'leave out so many'],
  ['--take <count>', 'at most so many, up to 100'],
]

export const HEADER_OPTION: Option = ['--header', 'name the columns in a pipe too']
