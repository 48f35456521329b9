/** The whole HTTP surface: every call with its schemas and what it hands on to the services. */
import type { Call } from './call.js'
import { accountCalls } from './calls/account.js'
import { adminCalls } from './calls/admin.js'
import { authenticationCalls } from './calls/authentication.js'
import { fileCalls } from './calls/files.js'
import { type InstanceSettings, instanceCalls } from './calls/instance.js'
import { redirectCalls } from './calls/redirects.js'
import { secretCalls } from './calls/secrets.js'
import { type StatsSettings, statsCalls } from './calls/stats.js'

export type CallSettings = InstanceSettings & StatsSettings & { publicUrl: string }

export const calls = (settings: CallSettings): Call[] =>
  [
    ...secretCalls(settings),
    ...fileCalls(),
    ...authenticationCalls(),
    ...redirectCalls(settings),
    ...accountCalls(),
    ...adminCalls(),
    ...statsCalls(settings),
    ...instanceCalls(settings),
  ] as unknown as Call[]
