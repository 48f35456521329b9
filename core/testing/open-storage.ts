/** A storage plugin on its own, without the rest of the product. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '../contracts/storage.js'
import { noLog } from '../log.js'
import type { Plugin } from '../plugin.js'

export interface OpenedStorage {
  /** Not migrated yet. */
  storage: Storage
  dataDir: string
  /** Closes the plugin; removes the data folder unless it was given. */
  close(): Promise<void>
}

/** Sets the plugin up in a new data folder, or in the one that is given; `options` replace its defaults. */
export async function openStorage(
  plugin: Plugin,
  { options = {}, dataDir }: { options?: Record<string, unknown>; dataDir?: string } = {},
): Promise<OpenedStorage> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'mayfly-storage-')))
  const host = { log: noLog, dataDir: folder, publicUrl: 'https://secrets.example.org' }
  const { storage, close } = await plugin.setup(plugin.options.parse(options), host)
  if (!storage) throw new Error(`Plugin "${plugin.name}" does not provide a storage.`)
  return {
    storage,
    dataDir: folder,
    async close() {
      await close?.()
      if (!dataDir) await rm(folder, { recursive: true })
    },
  }
}
