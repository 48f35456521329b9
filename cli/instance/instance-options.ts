/** Which instance a command works on: what every one of them may be told. */
import type { Option } from '../commands/command.js'

export interface InstanceFlags {
  databaseUrl?: string
  set?: string[]
}

export const INSTANCE_OPTIONS: Option[] = [
  ['--database-url <url>', 'database of the instance; better as a variable'],
  ['--set <key=value...>', 'as for `serve`'],
]
