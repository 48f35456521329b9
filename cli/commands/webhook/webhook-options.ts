/** Options of all commands for webhooks. */
import type { ServerFlags } from '../../client/connect.js'
import type { GlobalFlags, Option } from '../command.js'

export const WEBHOOK_OPTIONS: Option[] = [
  ['-s, --server <url>', 'server to use (default: MAYFLY_SERVER, or `server` in the config file)'],
]

/** The argument of commands for one webhook. */
export const ID_ARGUMENT: [name: string, description: string] = ['[id]', 'id from `mayfly webhook list`']

export type WebhookFlags = ServerFlags & GlobalFlags
