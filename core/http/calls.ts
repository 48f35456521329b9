/** The whole HTTP surface: every call with its schemas and what it hands on to the services. */
import type { Call } from './call.js'
import { fileCalls } from './calls/files.js'
import { type InstanceSettings, instanceCalls } from './calls/instance.js'
import { secretCalls } from './calls/secrets.js'

export type CallSettings = InstanceSettings

export const calls = (settings: CallSettings): Call[] =>
  [...secretCalls(settings), ...fileCalls(), ...instanceCalls(settings)] as unknown as Call[]
