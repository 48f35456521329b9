/**
 * `doctor` with wrong settings, and from outside. doctor.engines.test.ts has databases, test/e2e/cli/doctor.test.ts has
 * proxies.
 */

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Plugin } from '#core'
import { freePort } from '#core/runtime'
import { openStorage } from '#core/testing'
import { anUpload } from '#core/testing/lib/fixtures'
import { builtIns } from '#plugins'
import { startLocalServer } from '#test/local-server'
import { run, testIo } from '#test/run-cli'
import { runCli } from '../../run-cli.js'
import type { CheckResult } from './check-result.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-doctor-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('doctor exits with 9 and prints fixes for invalid settings and unusable databases', async () => {
  const wrong = await run(['doctor', '--set', 'port=99999'], { cwd: folder })
  expect(wrong).toMatchObject({ code: 9 })
  expect(`${wrong.stdout}`).toMatch(/^fail {2}config: settings: .*port/)
  const env = { MAYFLY_DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:1/none', MAYFLY_PLUGINS: ',' }
  const down = await run(['doctor'], { env, cwd: folder })
  expect(down).toMatchObject({ code: 9 })
  expect(`${down.stdout}`).toMatch(/^fail {2}database: start: /m)
  expect(`${down.stdout}${down.stderr}`).not.toContain('hunter2')
  expect(await run(['doctor', '--section', 'nothing'], { cwd: folder })).toMatchObject({ code: 2 })
  expect(await run(['doctor', '--fix', '--url', 'http://127.0.0.1:1'])).toMatchObject({ code: 2 })
})

test('doctor colors its levels on a terminal only, and keeps the words', async () => {
  const check = async (env: Record<string, string>, isTTY: object, ...flags: string[]) => {
    const argv = ['doctor', '--section', 'config', '--set', 'port=99999', ...flags]
    const { io, stdout } = testIo({ argv, env, isTTY, cwd: folder })
    expect(await runCli(argv, io)).toBe(9)
    return `${stdout()}`
  }
  const terminal = { stdout: true }
  const red = '\x1b[31mfail\x1b[0m  config: settings: '
  expect((await check({}, terminal)).startsWith(red)).toBe(true)
  expect((await check({}, {}, '--color', 'always')).startsWith(red)).toBe(true)
  for (const plain of [check({}, { stderr: true }), check({ NO_COLOR: '1' }, terminal), check({}, terminal, '--json')])
    expect(await plain).not.toContain('\x1b')
  expect(await check({}, terminal, '--color', 'never')).toMatch(/^fail {2}config: settings: /)
})

test('doctor warns when the files take more than 90 % of instanceBytes', async () => {
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const env = { MAYFLY_DATA_DIR: dataDir }
  const quota = async (limit: string) => {
    const { stdout } = await run(['doctor', '--section', 'files', '--json', '--set', `instanceBytes=${limit}`], { env })
    return (JSON.parse(`${stdout}`) as CheckResult[]).find(({ check }) => check === 'quota')
  }
  await run(['migrate'], { env })
  await mkdir(join(dataDir, 'files'))
  const { storage, close } = await openStorage((await builtIns.sqlite()).default as Plugin, { dataDir })
  await storage.attachments.reserve(
    anUpload({ size: 901 }),
    { open: 1, bytes: null, windowMs: 1, storedBytes: null },
    0,
  )
  await close()
  expect(await quota('1000')).toMatchObject({ level: 'warn', message: '901 bytes of 1 kB stored' })
  expect(await quota('1002')).toMatchObject({ level: 'ok' })
  expect(await quota('auto')).toMatchObject({
    level: 'ok',
    message: expect.stringMatching(/^901 bytes of (\d+ [MG]B) stored$/),
  })
  expect(await quota('off')).toMatchObject({ level: 'ok', message: '901 bytes stored, no limit' })
})

describe('doctor --url', () => {
  test('reports missing https and wrong links when the proxy is bypassed', async () => {
    const server = await startLocalServer({ env: { MAYFLY_PUBLIC_URL: 'https://localhost:4443' } })
    const { stdout, code } = await run(['doctor', '--url', `http://127.0.0.1:${server.port}`, '--json'])
    await server.stop()
    const bad = (JSON.parse(`${stdout}`) as CheckResult[]).filter(({ level }) => level !== 'ok')
    expect(bad.map(({ check }) => check)).toEqual(expect.arrayContaining(['encryption', 'links']))
    expect(code).toBe(9)
  })

  test('reports proxies that repeat requests or cut bodies of more than 1 MB', async () => {
    const server = await startLocalServer()
    const check = async (fault: Fault) => {
      const proxy = await startHttpProxy(server.url, fault)
      const { stdout } = await run(['doctor', '--url', proxy.url, '--json', '--section', 'proxy'])
      await proxy.close()
      const all = JSON.parse(`${stdout}`) as CheckResult[]
      return all.filter(({ level, check }) => level === 'fail' && check !== 'links').map(({ check }) => check)
    }
    const findings = await Promise.all([check({}), check({ mirrors: true }), check({ maxBytes: 1_000_000 })])
    expect(findings).toEqual([[], ['views'], ['bodies']])
    await server.stop()
  })

  test('reports a clock that is one hour slow', async () => {
    const port = await freePort()
    const late = createServer((_, response) => {
      response.writeHead(404, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end('{}')
    }).listen(port, '127.0.0.1')
    const { stdout, code } = await run(['doctor', '--url', `http://127.0.0.1:${port}`, '--json'])
    late.close()
    expect(code).toBe(9)
    expect(JSON.parse(`${stdout}`)).toContainEqual(expect.objectContaining({ check: 'clock', level: 'fail' }))
  })
})

interface Fault {
  /** Sends each request to the server once more after the response. */
  mirrors?: boolean
  /** Breaks the connection of larger requests. */
  maxBytes?: number
}

async function startHttpProxy(target: string, { mirrors, maxBytes = Number.POSITIVE_INFINITY }: Fault) {
  const forward = ({ method, url, headers }: IncomingMessage, body: Buffer) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(new URL(url ?? '/', target), { method, headers }, resolve)
        .once('error', reject)
        .end(body)
    })
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    let size = 0
    try {
      for await (const chunk of incoming) {
        chunks.push(chunk)
        size += chunk.length
        if (size > maxBytes) return void incoming.destroy()
      }
      const answer = await forward(incoming, Buffer.concat(chunks))
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
      if (mirrors) (await forward(incoming, Buffer.concat(chunks))).resume()
    } catch {
      response.destroy()
    }
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
