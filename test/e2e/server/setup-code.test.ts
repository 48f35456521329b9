/** The setup code, from its output to the first administrator. */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '#test/free-port'
import { CLI } from '#test/start-server'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-setup-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** `mayfly serve` with its output. */
async function serve(args: string[] = []) {
  const port = await freePort()
  const env = { PATH: process.env.PATH, MAYFLY_HOST: '127.0.0.1', MAYFLY_DATA_DIR: folder }
  const child = spawn(process.execPath, [CLI, 'serve', '--port', String(port), ...args], { cwd: folder, env })
  const said = { stdout: '', stderr: '' }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  // Two pipes: output written first may be read last.
  const printed = new Promise<void>((resolve) => {
    void ended.then(resolve)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text
      if (said.stdout.endsWith('\n')) resolve()
    })
  })
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error(said.stderr)))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.stderr += text
      if (said.stderr.includes('Ready on')) resolve()
    })
  })
  const url = `http://127.0.0.1:${port}/api/v1`
  const setUp = (username: string, code: string) =>
    fetch(`${url}/authentication/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` },
      body: JSON.stringify({ username, email: `${username}@example.org`, password: 'twelve chårs', code }),
    })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { said, printed, setUp, stop }
}

async function* filesIn(at: string): AsyncGenerator<string> {
  for (const name of await readdir(at)) {
    const path = join(at, name)
    if ((await stat(path)).isDirectory()) yield* filesIn(path)
    else yield path
  }
}

test.each([
  ['one process', []],
  ['three workers', ['--workers', '3']],
])('SEC-42: the setup code is printed once, stored nowhere and creates one administrator, with %s', async (_, args) => {
  const first = await serve(args)
  await first.printed
  const [, code = '', again] =
    /^\{"time":"[^"]+","level":"info","msg":"[^"]+","setupCode":"([\w-]{43})","url":"[^"#]+\/setup#([\w-]{43})"\}\n$/.exec(
      first.said.stdout,
    ) ?? []
  expect(again).toBe(code)
  expect(code).not.toBe('')
  expect((await first.setUp('nobody', 'x'.repeat(43))).status).toBe(403)
  const responses = await Promise.all(['one1', 'two2', 'three', 'four'].map((name) => first.setUp(name, code)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
  await first.stop()
  expect(first.said.stderr).not.toContain(code)
  const kept: string[] = []
  for await (const path of filesIn(folder)) kept.push(await readFile(path, 'latin1'))
  expect(kept.join('')).not.toContain(code)
  expect(kept.length).toBeGreaterThan(0)
  const second = await serve(args)
  await second.stop()
  expect(second.said.stdout).toBe('')
})
