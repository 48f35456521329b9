/** Collects the receivers of plugins: for events, audit entries and changes of other processes. */
import type { AuditSink } from '../contracts/audit-sink.js'
import type { Channels } from '../contracts/channels.js'
import type { Listeners } from '../contracts/events.js'
import type { Invalidation } from '../contracts/invalidation.js'
import { collectChannels } from './collect-channels.js'
import type { StartedPlugin } from './start-plugins.js'

export interface Receivers {
  /** Event listeners. */
  listeners: { plugin: string; on?: Listeners | undefined; beforeResponse?: Listeners | undefined }[]
  /** Receivers of durable events. */
  channels: Channels
  /** Receivers of the audit log. `name`: of the plugin. */
  auditSinks: { name: string; sink: AuditSink }[]
  /** Notify the other processes of changes. */
  invalidations: Invalidation[]
}

/** Throws PluginError for an invalid or duplicate channel. */
export function collectReceivers(started: StartedPlugin[]): Receivers {
  const hooks = started.map((each) => each.hooks)
  return {
    listeners: started.map(({ name, hooks: { on, beforeResponse } }) => ({ plugin: name, on, beforeResponse })),
    channels: collectChannels(hooks),
    auditSinks: started.flatMap(({ name, hooks: { auditSink } }) => (auditSink ? { name, sink: auditSink } : [])),
    invalidations: hooks.flatMap((each) => each.invalidation ?? []),
  }
}
