/**
 * The storage contract in one process, gone when it ends: for trying Mayfly out, for tests, and for reading when you
 * write a storage of your own. JavaScript runs one call at a time, so what has no `await` inside is one atomic step.
 */
import { type Counter, definePlugin, type LeaseStore, type SettingsStore, z } from '#core'
import { memoryAttachments } from './attachments.js'
import { auditStore } from './audit.js'
import { memoryFiles } from './files.js'
import { memoryLimits } from './limits.js'
import { noPeople } from './people.js'
import { type Entry, secretStore } from './secrets.js'
import { sessionStore } from './sessions.js'
import { statsStore } from './stats.js'
import { tokenStore } from './tokens.js'
import { userStore } from './users.js'

export default definePlugin({
  name: 'memory',
  options: z.object({}),
  singleProcess: true,
  setup() {
    const people = noPeople()
    const entries = new Map<string, Entry>()
    const counters = new Map<string, Counter>()
    const limits = memoryLimits(counters)
    const files = memoryAttachments((secretId) => entries.has(secretId), counters)
    return {
      storage: {
        secrets: secretStore(entries, people.users, files),
        attachments: files.store,
        leases: leaseStore(),
        limits,
        users: userStore(people, entries, files),
        sessions: sessionStore(people),
        tokens: tokenStore(people),
        audit: auditStore(),
        stats: statsStore(),
        settings: settingsStore(),
        migrate: async () => [],
        ping: async () => {},
        scrub: async () => true,
      },
      files: memoryFiles(),
      limits,
    }
  },
})

function leaseStore(): LeaseStore {
  const leases = new Map<string, { holder: string; until: number }>()
  return {
    async take(name, holder, until, now) {
      const held = leases.get(name)
      if (held && held.holder !== holder && held.until > now) return false
      leases.set(name, { holder, until })
      return true
    },
  }
}

function settingsStore(): SettingsStore {
  const settings = new Map<string, string>()
  return {
    all: async () => Object.fromEntries(settings),
    async set(values) {
      for (const [name, value] of Object.entries(values)) {
        if (value === null) settings.delete(name)
        else settings.set(name, value)
      }
    },
  }
}
