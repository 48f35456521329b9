/** Options of commands that print a list. */
import type { Option } from './command.js'

export const PAGE_OPTIONS: Option[] = [
  ['--skip <count>', 'number of entries to skip'],
  ['--take <count>', 'number of entries to print, up to 100'],
]

export const HEADER_OPTION: Option = ['--header', 'print column names in a pipe too']
