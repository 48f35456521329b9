/** Checks whether the storage and the file store respond. */
import type { FileStore } from '../contracts/file-store.js'
import type { Connections, Storage } from '../contracts/storage.js'
import { cacheFor } from '../lib/cache-for.js'
import { AppError } from '../lib/errors.js'
import type { EpochMs } from '../shared/epoch-ms.js'

/** Probes of many clients together check each component once in this time. */
const CHECK_EVERY_MS = 1000
const CODES = { storage: 'storage.unavailable', files: 'file.unavailable' } as const

export type Component = keyof typeof CODES

export interface Health {
  /** Each component of this instance, and whether it responds. Up to `CHECK_EVERY_MS` old. */
  parts(): Promise<{ name: Component; isUp: boolean }[]>
  /** From now on this process is not ready, although it still serves requests. */
  startDraining(): void
  /**
   * Throws AppError `storage.unavailable`, `file.unavailable`, or `server.busy` once this process is draining. The
   * message names every component that is down.
   */
  ready(): Promise<void>
  /** Database connections; null when the storage has none. */
  connections(): Connections | null
  /** Driver and version of the database; null when the storage does not name them. */
  driver(): string | null
}

interface Parts {
  storage: Storage
  files: FileStore | null
  now: () => EpochMs
}

export function createHealth({ storage, files, now }: Parts): Health {
  const pings: [Component, () => Promise<void>][] = [['storage', () => storage.ping()]]
  if (files) pings.push(['files', () => files.ping()])

  const checkAll = () =>
    Promise.all(
      pings.map(async ([name, ping]) => {
        const failure = await ping().then(
          () => null,
          (cause: unknown) => ({ cause }),
        )
        return { name, failure }
      }),
    )
  let isDraining = false
  const { get: check } = cacheFor(CHECK_EVERY_MS, { load: checkAll, now })

  return {
    parts: async () => (await check()).map(({ name, failure }) => ({ name, isUp: failure === null })),
    startDraining() {
      isDraining = true
    },
    async ready() {
      if (isDraining) throw new AppError('server.busy', { message: 'This process is stopping.' })
      const down = (await check()).filter(({ failure }) => failure !== null)
      const [first] = down
      if (!first) return
      const names = down.map(({ name }) => name).join(', ')
      throw new AppError(CODES[first.name], { message: `Not responding: ${names}.` }, first.failure ?? {})
    },
    connections: () => storage.connections?.() ?? null,
    driver: () => storage.driver ?? null,
  }
}
