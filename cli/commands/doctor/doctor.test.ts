/** `doctor` with wrong settings, and from outside. doctor.engines.test.ts has databases, test/e2e/cli/doctor.test.ts has proxies. */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#core/runtime'
import { startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'

interface Finding {
  section: string
  check: string
  level: string
}

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

describe('doctor --url', () => {
  test('reports missing https and wrong links when the proxy is bypassed', async () => {
    const server = await startLocalServer({ env: { MAYFLY_PUBLIC_URL: 'https://localhost:4443' } })
    const { stdout, code } = await run(['doctor', '--url', `http://127.0.0.1:${server.port}`, '--json'])
    await server.stop()
    const bad = (JSON.parse(`${stdout}`) as Finding[]).filter(({ level }) => level !== 'ok')
    expect(bad.map(({ check }) => check)).toEqual(expect.arrayContaining(['encryption', 'links']))
    expect(code).toBe(9)
  })

  test('reports a clock that is one hour slow', async () => {
    const port = await freePort()
    const late = createServer((_, answer) => {
      answer.writeHead(404, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end('{}')
    }).listen(port, '127.0.0.1')
    const { stdout, code } = await run(['doctor', '--url', `http://127.0.0.1:${port}`, '--json'])
    late.close()
    expect(code).toBe(9)
    expect(JSON.parse(`${stdout}`)).toContainEqual(expect.objectContaining({ check: 'clock', level: 'fail' }))
  })
})
