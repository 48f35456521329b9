/** A server in the test's process, for tests that only need one to talk to. It starts in milliseconds. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadInstanceConfig } from '#cli/instance/instance-config'
import { version } from '#cli/lib/version'
import { createApp, createLog, freePort, listen, type RunningApp, stopListening } from '#core/runtime'
import type { SettingsChanges } from '#core/settings/create-settings'
import { MEMORY_ENV } from './memory-plugin.js'
import { testIo } from './run-cli.js'

export interface LocalServer {
  app: RunningApp
  url: string
  port: number
  dataDir: string
  /** All that it has logged so far. */
  log(): string
  /** Stops listening and closes the stores; removes the data folder unless it was given. */
  stop(): Promise<void>
}

interface Options {
  /** Kept after `stop`, with SQLite and files in it. Default: the database is in memory. */
  dataDir?: string
  /** Settings as variables. They override `USUAL`. */
  env?: Record<string, string>
  /** Instance settings. */
  instanceSettings?: SettingsChanges
}

/** No limits and no pages. */
const USUAL = {
  MAYFLY_HOST: '127.0.0.1',
  MAYFLY_LIMITS: 'off',
  MAYFLY_PLUGINS: ',',
}

export async function startLocalServer({
  dataDir,
  env = {},
  instanceSettings = {},
}: Options = {}): Promise<LocalServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'mayfly-local-')))
  const stores = dataDir === undefined ? MEMORY_ENV : {}
  const { io } = testIo({ env: { ...USUAL, ...stores, MAYFLY_DATA_DIR: folder, ...env }, cwd: folder })
  const { settings, plugins } = await loadInstanceConfig(undefined, {}, io)
  const port = await freePort()
  const anyAddress = settings.publicUrl === ''
  const url = settings.publicUrl || `http://localhost:${port}`
  const lines: string[] = []
  const log = createLog(settings.log, 'json', (line) => void lines.push(line))
  const own = { ...settings, port, publicUrl: url, anyAddress }
  const app = await createApp({ settings: own, plugins, log, version })
  const server = await listen(app.handler, settings.host, port)
  await app.settings.update(instanceSettings, { username: null, address: null })
  return {
    url,
    port,
    app,
    dataDir: folder,
    log: () => lines.join(''),
    async stop() {
      await stopListening(server, 0)
      await app.close()
      if (!dataDir) await rm(folder, { recursive: true, force: true })
    },
  }
}
