/** Whether what an instance stands on answers. */
import type { FileStore } from './contracts/file-store.js'
import type { Connections, Storage } from './contracts/storage.js'
import { AppError } from './errors.js'

const CODES = { storage: 'storage.unavailable', files: 'file.unavailable' } as const

export type Part = keyof typeof CODES

export interface HealthService {
  /** Each part that this instance has, and whether it answers now. */
  parts(): Promise<{ name: Part; isUp: boolean }[]>
  /** Throws AppError `storage.unavailable` or `file.unavailable`, whose message names every part that does not answer. */
  ready(): Promise<void>
  /** Of the storage; null: it has no such. */
  connections(): Connections | null
}

export function healthService({ storage, files }: { storage: Storage; files: FileStore | null }): HealthService {
  const pings: [Part, () => Promise<void>][] = [['storage', () => storage.ping()]]
  if (files) pings.push(['files', () => files.ping()])

  const check = () =>
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
    parts: async () => (await check()).map(({ name, failure }) => ({ name, isUp: failure === null })),
    async ready() {
      const down = (await check()).filter(({ failure }) => failure !== null)
      const [first] = down
      if (!first) return
      const names = down.map(({ name }) => name).join(', ')
      throw new AppError(CODES[first.name], { message: `Not answering: ${names}.` }, first.failure ?? {})
    },
    connections: () => storage.connections?.() ?? null,
  }
}
