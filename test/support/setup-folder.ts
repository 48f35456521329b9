/** An empty folder for each test of `mayfly setup`. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type Ran, run } from './run-cli.js'

export const ADMIN_FLAGS = ['--admin-username', 'admin', '--admin-email', 'admin@example.org']

export interface SetupFolder {
  /** A path inside the folder; the folder itself without `names`. */
  path(...names: string[]): string
  /** Runs `mayfly setup` in the folder. */
  setup(flags: string[], env?: Record<string, string>): Promise<Ran>
  /** The content of the config file. */
  config(): Promise<{ s3: Record<string, unknown> } & Record<string, unknown>>
}

/** Call it outside of tests: it makes the folder before each test of the file and removes it afterwards. */
export function registerSetupFolder(): SetupFolder {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-setup-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  return {
    path: (...names) => join(folder, ...names),
    setup: (flags, env = {}) => run(['setup', ...flags], { cwd: folder, env }),
    config: async () => JSON.parse(await readFile(join(folder, 'mayfly.config.json'), 'utf8')),
  }
}
