/** Options of commands that work on the instance directly. */
import type { Option } from '../commands/command.js'

export interface InstanceFlags {
  databaseUrl?: string
  set?: string[]
}

/** For commands that need the config and no database. */
export const SET_OPTION: Option = ['--set <key=value...>', 'config settings, as for `serve`']

export const INSTANCE_OPTIONS: Option[] = [
  ['--database-url <url>', 'database of the instance; prefer the variable MAYFLY_DATABASE_URL'],
  SET_OPTION,
]
