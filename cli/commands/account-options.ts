/** Options of `user add`, `user passwd` and `user lock-out`. */
import type { Option } from './command.js'
import { PASSWORD_FD_OPTION } from './shared-options.js'

export const KEEP_OPTION: Option = ['--except <list>', 'comma-separated ids of user access that do not end']

export const ACCOUNT_PASSWORD_OPTIONS: Option[] = [
  ['--generate', 'generate a password and print it (default)'],
  ['--password', 'ask for the password'],
  ['--password-file <file>', 'read the password from a file'],
  PASSWORD_FD_OPTION,
  ['--no-must-change', "don't require a password change at the next sign-in"],
  ['--send-link', 'print a one-time link with the credentials instead of the password'],
  ['--ttl <duration>', 'lifetime of that link', '1d'],
]
