/** Options of all commands for webhooks. */
import type { ServerFlags } from '../../client/connect.js'
import type { GlobalFlags, Option } from '../command.js'
import { SERVER_OPTION } from '../shared-options.js'

export const WEBHOOK_OPTIONS: Option[] = [SERVER_OPTION]

/** The argument of commands for one webhook. */
export const ID_ARGUMENT: [name: string, description: string] = ['[id]', 'id from `mayfly webhook list`']

export type WebhookFlags = ServerFlags & GlobalFlags
