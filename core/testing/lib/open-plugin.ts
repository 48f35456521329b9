/** Opens a storage or file store plugin without the rest of the product. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { z } from 'zod'
import type { FileStore } from '../../contracts/file-store.js'
import type { Storage } from '../../contracts/storage.js'
import { type Log, noLog } from '../../lib/log.js'
import type { Hooks, Plugin } from '../../plugins/plugin.js'

interface Opened {
  dataDir: string
  /** Closes the plugin. Deletes the data folder unless the caller passed one. */
  close(): Promise<void>
}

export interface OpenedStorage extends Opened {
  /** Not migrated yet. */
  storage: Storage
}

export interface OpenedFileStore extends Opened {
  files: FileStore
}

interface OpenOptions {
  /** Options that replace the defaults of the plugin. */
  options?: Record<string, unknown>
  /** Not deleted by `close`. Default: a new temporary folder. */
  dataDir?: string
  log?: Log
}

/** Sets up the plugin. Throws if it does not provide a storage. */
export async function openStorage<Options extends z.ZodObject>(
  plugin: Plugin<Options>,
  how: OpenOptions = {},
): Promise<OpenedStorage> {
  const { storage, dataDir, close } = await openPlugin(plugin, how)
  if (!storage) throw new Error(`Plugin "${plugin.name}" does not provide a storage.`)
  return { storage, dataDir, close }
}

/** Sets up the plugin. Throws if it does not provide a file store. */
export async function openFileStore<Options extends z.ZodObject>(
  plugin: Plugin<Options>,
  how: OpenOptions = {},
): Promise<OpenedFileStore> {
  const { files, dataDir, close } = await openPlugin(plugin, how)
  if (!files) throw new Error(`Plugin "${plugin.name}" does not provide a file store.`)
  return { files, dataDir, close }
}

/** Sets up the plugin and returns its hooks. */
export async function openPlugin<Options extends z.ZodObject>(
  plugin: Plugin<Options>,
  { options = {}, dataDir, log = noLog }: OpenOptions = {},
): Promise<Omit<Hooks, 'close'> & Opened> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'mayfly-plugin-')))
  const host = { log, dataDir: folder, publicUrl: 'https://secrets.example.org', clock: Date }
  const hooks = await plugin.setup(plugin.options.parse(options), host)
  return {
    ...hooks,
    dataDir: folder,
    async close() {
      await hooks.close?.()
      if (!dataDir) await rm(folder, { recursive: true })
    },
  }
}
