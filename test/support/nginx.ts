/** nginx on the loopback, with a configuration of the test's choice. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { freePort } from './free-port.js'

export interface RunningNginx {
  url: string
  /** Where it may write. */
  folder: string
  stop(): Promise<void>
}

/** `http`: content of its http block, given its port and folder. Waits until an instance responds behind it. */
export async function startNginx(http: (port: number, folder: string) => string, port?: number): Promise<RunningNginx> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-nginx-'))
  // Started by root, its workers run as another user.
  await chmod(folder, 0o755)
  const at = port ?? (await freePort())
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `pid ${folder}/nginx.pid; error_log stderr; events {} http {
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/temp;
      ${http(at, folder)}
    }`,
  )
  const env = { PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn('nginx', ['-c', file, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'inherit'], env })
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${at}`
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(204), { timeout: 20_000 })
  return {
    url,
    folder,
    async stop() {
      child.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
