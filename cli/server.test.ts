/** `serve` and `config list`: what stops the start, how it is told, and how the instance ends. */

import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeDatabase, tablesOf } from '#test/databases'
import { testEachEngine } from '#test/for-each-engine'
import { run } from '#test/spawn-cli'
import { startServer } from '#test/start-server'

// Each test starts several processes.
vi.setConfig({ testTimeout: 60_000 })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-serve-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const BARE = { MAYFLY_PLUGINS: ',' }

describe('config list', () => {
  test('prints what is in force and where it comes from', async () => {
    await writeFile(join(folder, 'mayfly.config.json'), JSON.stringify({ port: 8080, sqlite: { file: 'x.db' } }))
    const env = { ...BARE, MAYFLY_MAX_TEXT_BYTES: '2048' }
    const { stdout, stderr, code } = await run(['config', 'list', '--set', 'log=warn'], { env, cwd: folder })
    expect(stdout.toString()).toMatch(/^port +8080 +\S+mayfly\.config\.json$/m)
    expect(stdout.toString()).toMatch(/^maxTextBytes +2048 +MAYFLY_MAX_TEXT_BYTES$/m)
    expect(stdout.toString()).toMatch(/^log +"warn" +--log$/m)
    expect(stdout.toString()).toMatch(/^sqlite\.file +"x\.db" /m)
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  })

  test('--json is the same for programs', async () => {
    const { stdout } = await run(['config', 'list', '--json'], { env: BARE, cwd: folder })
    const settings = JSON.parse(stdout.toString())
    expect(settings).toContainEqual({ key: 'port', value: '3000', origin: 'default' })
  })

  test('--markdown is the reference of all settings, whatever is in force', async () => {
    const all = await run(['config', 'list', '--markdown'], { cwd: folder })
    expect(all.stdout.toString()).toMatch(/^\| `storage` \| `MAYFLY_STORAGE` \|/m)
    expect(all.stdout.toString()).toMatch(/^\| `sqlite.file` \| `MAYFLY_SQLITE_FILE` \|/m)
    const other = await run(['config', 'list', '--markdown'], {
      env: { ...BARE, MAYFLY_STORAGE: 'memory' },
      cwd: folder,
    })
    expect(other.stdout.equals(all.stdout)).toBe(true)
  })
})

describe('serve refuses', () => {
  test('every wrong setting at once, a sentence each, without their values: 2', async () => {
    await writeFile(join(folder, 'mayfly.config.json'), JSON.stringify({ colour: 'red', sqlite: { fiel: 'x' } }))
    const env = { MAYFLY_PLUGINS: 'nope', MAYFLY_PUBLIC_URL: 'hunter2', MAYFLY_LOG_FILE: '/nonexistent' }
    for (const command of [['serve'], ['config', 'list']]) {
      const { stdout, stderr, code } = await run([...command, '--set', 'port=99999'], { env, cwd: folder })
      const problems = stderr.trimEnd().split('\n')
      expect(problems.every((line) => /^mayfly: error: .*[^.]$/.test(line))).toBe(true)
      for (const word of ['port:', 'publicUrl:', '"nope"', 'MAYFLY_LOG_FILE', 'colour', 'sqlite.fiel']) {
        expect(problems.filter((line) => line.includes(word))).toHaveLength(1)
      }
      expect(problems).toHaveLength(6)
      expect(stderr).not.toContain('hunter2')
      expect(stdout).toHaveLength(0)
      expect(code).toBe(2)
    }
  })

  test('a config file that is not there: 2', async () => {
    const { stderr, code } = await run(['serve', '--config', 'nowhere.json'], { env: BARE, cwd: folder })
    expect(stderr).toMatch(/^mayfly: error: the config file \S*nowhere.json does not exist\n$/)
    expect(code).toBe(2)
  })

  test('a storage that is none: 2', async () => {
    await writeFile(
      join(folder, 'p.mjs'),
      "export default { name: 'p', options: OPTIONS, setup: () => ({}) }".replace(
        'OPTIONS',
        '{ shape: {}, safeParse: () => ({ success: true, data: {} }) }',
      ),
    )
    const { stderr, code } = await run(['serve', '--port', '0', '--set', 'storage=./p.mjs'], { env: BARE, cwd: folder })
    expect(stderr).toBe('mayfly: error: plugin "p" does not provide a storage\n')
    expect(code).toBe(2)
  })

  test('a port that is in use: 6', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const flags = ['serve', '--host', '127.0.0.1', '--port', String(port)]
    const { stderr, code } = await run(flags, { env: BARE, cwd: folder })
    expect(stderr).toContain(`mayfly: error: cannot listen on port ${port}: it is in use\nmayfly: hint: choose`)
    expect(code).toBe(6)
    taken.close()
  })

  test('a data folder that cannot be made, and a database that cannot be opened: 6', async () => {
    await writeFile(join(folder, 'file'), '')
    const noFolder = await run(['serve', '--set', 'dataDir=file/data'], { env: BARE, cwd: folder })
    expect(noFolder).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('did not start: ENOTDIR: not a directory'),
    })
    await mkdir(join(folder, 'data/mayfly.db'), { recursive: true })
    const noFile = await run(['serve', '--port', '0'], { env: BARE, cwd: folder })
    expect(noFile).toMatchObject({ code: 6, stderr: expect.stringContaining('error: plugin "sqlite" did not start') })
  })
})

describe('a running instance', () => {
  test('makes a data folder that is closed to others, and warns of one that was there and is open', async () => {
    const dataDir = join(folder, 'data')
    const mode = async () => (await stat(dataDir)).mode & 0o777
    const first = await startServer({ dataDir: folder, env: { ...BARE, MAYFLY_DATA_DIR: dataDir } })
    await first.stop()
    expect(await mode()).toBe(0o700)
    expect((await stat(join(dataDir, 'mayfly.db'))).mode & 0o777).toBe(0o600)
    expect(first.log()).not.toContain('open to other users')
    await chmod(dataDir, 0o755)
    const second = await startServer({ dataDir: folder, env: { ...BARE, MAYFLY_DATA_DIR: dataDir } })
    await second.stop()
    expect(second.log()).toContain('the data folder is open to other users of this machine')
    expect(await mode()).toBe(0o755)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets a request end, takes no new one, and is a good end: 0',
    async (signal) => {
      const server = await startServer({ env: BARE })
      const { finish, answer } = await openRequest(server.url)
      process.kill(server.pid, signal)
      await server.logged(/stopping/)
      await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
      finish()
      expect(await answer).toBe(201)
      const answered = Date.now()
      expect(await server.ended).toEqual({ code: 0, signal: null })
      // Not kept waiting to the end of the drain by a connection that has had its answer.
      expect(Date.now() - answered).toBeLessThan(8_000)
      await server.stop()
    },
  )

  test('a second signal ends it at once: 130', async () => {
    const server = await startServer({ env: BARE })
    const { answer } = await openRequest(server.url)
    answer.catch(() => {})
    process.kill(server.pid, 'SIGTERM')
    await server.logged(/stopping/)
    process.kill(server.pid, 'SIGINT')
    expect(await server.ended).toEqual({ code: 130, signal: null })
    await expect(answer).rejects.toThrow()
    await server.stop()
  })
})

/** A create whose body is on its way: the server has begun to answer it. */
async function openRequest(url: string): Promise<{ finish(): void; answer: Promise<number | undefined> }> {
  const body = JSON.stringify({ text: 'sécret', ttl: 600 })
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    expect: '100-continue',
  }
  const open = request(`${url}/api/v1/secret`, { method: 'POST', headers, agent: new Agent({ keepAlive: true }) })
  const answer = new Promise<number | undefined>((resolve, reject) => {
    open.once('response', (response) => resolve(response.resume().statusCode))
    open.once('error', reject)
  })
  open.flushHeaders()
  await once(open, 'continue')
  return { finish: () => void open.end(body), answer }
}

test.each([
  ['MAYFLY_VISITOR_UPLOADS', 'yes-hunter2'],
  ['MAYFLY_LIMIT_FACTOR', 'hunter2'],
  ['MAYFLY_TRUSTED_PROXIES', 'hunter2'],
  ['MAYFLY_DATABASE_URL', 'oracle://root:hunter2@db.internal/mayfly'],
  ['MAYFLY_DATABASE_URL', 'hunter2'],
])('SEC-42: %s that cannot be meant keeps it from starting, and is not repeated: 2', async (variable, value) => {
  const { stderr, stdout, code } = await run(['serve', '--port', '0'], {
    env: { ...BARE, [variable]: value },
    cwd: folder,
  })
  expect(code).toBe(2)
  expect(stderr).toContain(variable)
  expect(stderr + stdout).not.toContain('hunter2')
})

testEachEngine('nothing is made before every setting is understood', async (engine) => {
  const database = await makeDatabase(engine)
  const env = { ...BARE, ...database.env, MAYFLY_VISITOR_UPLOADS: 'yes-hunter2' }
  const { stderr, code } = await run(['serve', '--port', '0'], { env, cwd: folder })
  expect({ code, isNamed: stderr.includes('MAYFLY_VISITOR_UPLOADS') }).toEqual({ code: 2, isNamed: true })
  expect(stderr).not.toContain('hunter2')
  expect(await tablesOf(engine, database.db)).toEqual([])
  await database.drop()
})

test('it tells at boot how it can be reached, and what is left open', async () => {
  const env = { ...BARE, MAYFLY_PUBLIC_URL: 'http://mayfly.internal', MAYFLY_TRUSTED_PROXIES: '10.0.0.0/8' }
  const server = await startServer({ env })
  const posture = JSON.parse(
    server
      .log()
      .split('\n')
      .find((line) => line.includes('"posture"')) ?? '{}',
  )
  expect(posture).toMatchObject({
    ...{ publicUrl: 'http://mayfly.internal', allowedHosts: 'none', trustedProxies: '10.0.0.0/8' },
    ...{ corsOrigins: 'none', limits: 'off' },
  })
  expect(server.log()).toContain('publicUrl is not https')
  await server.stop()
})
