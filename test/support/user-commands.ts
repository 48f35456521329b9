/** Runs commands on the database of an instance, without a server. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run-cli.js'

/** Pattern of a generated password. */
export const PASSPHRASE = '[a-z]+(-[a-z]+){4}-\\d\\d'
export const USER_COMMAND_ENV = { MAYFLY_PLUGINS: ',', MAYFLY_PUBLIC_URL: 'http://localhost:3999' }

export interface InstanceFolder {
  /** Working folder with an empty database in `data`. */
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
  // Commands create no database.
  await writeFile(join(folder, 'data/mayfly.db'), '')
  return {
    folder,
    async mayfly(args, stdin = '', env = USER_COMMAND_ENV) {
      const { stdout, stderr, code } = await run(args, { env, cwd: folder, stdin })
      return { stdout: stdout.toString(), stderr, code }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
