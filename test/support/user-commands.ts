/** Runs commands on the database of an instance, without a server. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDatabase } from './databases.js'
import { run } from './run-cli.js'

/** Pattern of a generated password. */
export const PASSPHRASE = '[a-z]+(-[a-z]+){4}-\\d\\d'
export const USER_COMMAND_ENV = { MAYFLY_PLUGINS: ',', MAYFLY_PUBLIC_URL: 'http://localhost:3999' }

export interface InstanceFolder {
  /** Working folder with a migrated database without rows in `data`. */
  folder: string
  /** Runs a command in the folder. */
  mayfly(args: string[], stdin?: string | Buffer, env?: Record<string, string>): Promise<TextResult>
  remove(): Promise<void>
}

export interface TextResult {
  stdout: string
  stderr: string
  code: number | null
}

export async function createInstanceFolder(): Promise<InstanceFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-users-'))
  await mkdir(join(folder, 'data'))
  // Commands create no database, and migrations take longer than most of them.
  migrated ??= createMigratedFile()
  await writeFile(join(folder, 'data/mayfly.db'), await migrated)
  return {
    folder,
    async mayfly(args, stdin = '', env = USER_COMMAND_ENV) {
      const { stdout, stderr, code } = await run(args, { env, cwd: folder, stdin })
      return { stdout: stdout.toString(), stderr, code }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The file of a migrated database, which all folders get a copy of. */
let migrated: Promise<Buffer> | undefined

async function createMigratedFile(): Promise<Buffer> {
  const { options, open, drop } = await makeDatabase('sqlite')
  const { storage, close } = await open()
  await storage.migrate()
  await close()
  const file = await readFile(options.file as string)
  await drop()
  return file
}
