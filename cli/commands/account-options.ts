/** Password options of `user add` and `user passwd`. */
import type { Option } from './command.js'

export const ACCOUNT_PASSWORD_OPTIONS: Option[] = [
  ['--generate', 'generate a password and print it (default)'],
  ['--password', 'ask for the password'],
  ['--password-file <file>', 'read the password from a file'],
  ['--password-fd <number>', 'read the password from a file descriptor'],
  ['--no-must-change', "don't require a password change at the next sign-in"],
  ['--send-link', 'print a one-time link with the credentials instead of the password'],
  ['--ttl <duration>', 'lifetime of that link', '1d'],
]
