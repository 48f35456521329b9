/** Opens the stores of an instance without starting the application, and prepares a storage for it. */
import type { Storage } from './contracts/storage.js'
import { describeUnknownMigrations } from './contracts/unknown-migrations.js'
import { COPY_PROGRESS_KEY } from './export/copy-rows.js'
import { createMonotonicClock } from './lib/clock.js'
import { runCloseSteps } from './lib/close-steps.js'
import { AppError } from './lib/errors.js'
import type { Log } from './lib/log.js'
import { resolveStores, type Stores } from './plugins/resolve-slots.js'
import {
  type ConfiguredPlugin,
  listPluginSteps,
  type StartedPlugin,
  startPlugins,
  toPluginContext,
} from './plugins/start-plugins.js'
import type { AppSettings } from './settings/startup-config.js'
import { submissionLengthMax } from './shared/crypto/encrypted-sizes.js'

interface Parts {
  settings: AppSettings
  plugins: ConfiguredPlugin[]
  log: Log
}

/** Throws PluginError. */
export async function openStorage({
  settings,
  ...parts
}: Parts): Promise<{ storage: Storage; close(): Promise<void> }> {
  return openStores({ ...parts, settings: { ...settings, files: '' } })
}

/** Opens the storage and the file store, if one is configured. Throws PluginError. */
export async function openStores({ settings, plugins, log }: Parts): Promise<Stores & { close(): Promise<void> }> {
  const started: StartedPlugin[] = []
  const close = async () => void (await runCloseSteps(listPluginSteps(started), log))
  try {
    const needed = plugins.filter(({ plugin }) => [settings.storage, settings.files].includes(plugin.name))
    await startPlugins(needed, toPluginContext(settings, { log, clock: createMonotonicClock({ log }) }), started)
    return { ...resolveStores(settings, started), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Preparation {
  /** False: fails when the schema is out of date. `new`: migrates an empty database only. */
  migrate: boolean | 'new'
  /** Whether the storage has to accept writes, and the largest text. */
  isServer: boolean
  maxTextBytes: number
}

/**
 * Returns the names of the migrations that ran. Throws AppError `storage.unavailable` when the schema is out of date,
 * or when a copy or restore into this database was interrupted; and the error of a storage that does not accept writes.
 */
export async function prepareStorage(
  storage: Storage,
  { migrate, isServer, maxTextBytes }: Preparation,
): Promise<string[]> {
  const canMigrate = migrate === true || (migrate === 'new' && (await isNew(storage)))
  const migrated = canMigrate ? await storage.migrate() : []
  if (!canMigrate) await assertUpToDate(storage)
  await assertNoUnfinishedCopy(storage)
  if (!isServer) return migrated
  await storage.checkTextSize?.(submissionLengthMax(maxTextBytes))
  await storage.ping()
  return migrated
}

async function isNew({ listMigrations }: Storage): Promise<boolean> {
  return ((await listMigrations?.()) ?? []).every(({ state }) => state === 'pending')
}

async function assertUpToDate(storage: Storage): Promise<void> {
  const status = (await storage.listMigrations?.()) ?? []
  if (status.every(({ state }) => state === 'ran')) return
  const outdated = 'The database schema is out of date. Run `mayfly migrate`.'
  const message = describeUnknownMigrations(status) ?? outdated
  throw new AppError('storage.unavailable', { message })
}

async function assertNoUnfinishedCopy({ instanceState }: Storage): Promise<void> {
  if ((await instanceState.get(COPY_PROGRESS_KEY)) === null) return
  const message = 'The database is an unfinished copy. Run `mayfly db copy` or `mayfly restore` again, or empty it.'
  throw new AppError('storage.unavailable', { message })
}
