/** Checks whether the storage and the file store respond. */
import type { FileStore } from '../contracts/file-store.js'
import type { Connections, Storage } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'

const CODES = { storage: 'storage.unavailable', files: 'file.unavailable' } as const

export type Component = keyof typeof CODES

export interface HealthService {
  /** Each component of this instance, and whether it responds now. */
  parts(): Promise<{ name: Component; isUp: boolean }[]>
  /** Throws AppError `storage.unavailable` or `file.unavailable`. The message names every component that is down. */
  ready(): Promise<void>
  /** Database connections; null when the storage has none. */
  connections(): Connections | null
}

export function healthService({ storage, files }: { storage: Storage; files: FileStore | null }): HealthService {
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

  return {
    parts: async () => (await checkAll()).map(({ name, failure }) => ({ name, isUp: failure === null })),
    async ready() {
      const down = (await checkAll()).filter(({ failure }) => failure !== null)
      const [first] = down
      if (!first) return
      const names = down.map(({ name }) => name).join(', ')
      throw new AppError(CODES[first.name], { message: `Not responding: ${names}.` }, first.failure ?? {})
    },
    connections: () => storage.connections?.() ?? null,
  }
}
