import type { Knex } from 'knex'
import type { Storage } from '#core'
import { attachmentStore } from './attachments.js'
import { attempt } from './errors.js'
import { leaseStore } from './leases.js'
import { migrate } from './migrate.js'
import { secretStore } from './secrets.js'
import { settingsStore } from './settings.js'
import { userStore } from './users.js'

/** What an engine needs beyond SQL. */
export interface Engine {
  /** Spaces stored before every text. */
  textMargin?: number
  /** `Storage.scrub`, where the files of the database are ours. */
  scrub?(): Promise<boolean>
}

/** A whole storage on an open connection. It neither opens nor closes `db`; that is the business of the engine's plugin. */
export function knexStorage(db: Knex, { textMargin = 0, scrub = async () => true }: Engine = {}): Storage {
  return {
    secrets: guarded('secrets', secretStore(db, ' '.repeat(textMargin))),
    attachments: guarded('attachments', attachmentStore(db)),
    leases: guarded('leases', leaseStore(db)),
    users: guarded('users', userStore(db)),
    settings: guarded('settings', settingsStore(db)),
    ...guarded('storage', {
      migrate: () => migrate(db),
      ping: async () => void (await db.raw('select 1')),
      scrub,
    }),
  }
}

type Methods = Record<string, (...args: never[]) => Promise<unknown>>

/** The same store, with every method's failures translated and its lost races run again. */
function guarded<Store extends object>(name: string, store: Store): Store {
  const methods = Object.entries(store as unknown as Methods).map(([method, run]) => [
    method,
    (...args: never[]) => attempt(`${name}.${method}`, () => run(...args)),
  ])
  return Object.fromEntries(methods) as Store
}
