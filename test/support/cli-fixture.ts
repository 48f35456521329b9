/** A server and a folder for tests of CLI commands, with shortcuts for the usual commands. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SettingsChanges } from '#core/settings/create-settings'
import { type LocalServer, startLocalServer } from './local-server.js'
import { type Ran, run } from './run-cli.js'

export interface CliFixture {
  server: LocalServer
  /** Empty, except for `bin`. */
  folder: string
  /** Server address, and `bin` first in PATH. */
  env: Record<string, string>
  /** Runs `secret create` and returns the link. Throws when it fails. */
  createSecret(stdin: string | Uint8Array, ...flags: string[]): Promise<string>
  /** Runs `secret read` with the link on stdin. */
  readSecret(link: string, ...flags: string[]): Promise<Ran>
  /** Writes a file to the folder and returns its path. */
  writeFile(name: string, content: string | Uint8Array): Promise<string>
  /** Writes an executable shell script to `bin`. */
  writeProgram(name: string, script: string): Promise<void>
  /** Stops the server and removes the folder. */
  stop(): Promise<void>
}

/** The server runs in the test's process, with everything in memory. `serverEnv`: its settings as variables. */
export async function startCliFixture(
  serverEnv: Record<string, string> = {},
  instanceSettings: SettingsChanges = {},
): Promise<CliFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-cli-'))
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const server = await startLocalServer({ env: serverEnv, instanceSettings })
  const env = { MAYFLY_SERVER: server.url, PATH: `${bin}:${process.env.PATH}` }
  return {
    server,
    folder,
    env,
    async createSecret(stdin, ...flags) {
      const { stdout, stderr, code } = await run(['secret', 'create', ...flags], { stdin, env })
      if (code !== 0) throw new Error(`secret create failed with ${code}: ${stderr}`)
      return stdout.toString().trim()
    },
    readSecret: (link, ...flags) => run(['secret', 'read', '-', ...flags], { stdin: link }),
    async writeFile(name, content) {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    },
    async writeProgram(name, script) {
      await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`)
      await chmod(join(bin, name), 0o755)
    },
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
