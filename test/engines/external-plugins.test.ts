/**
 * The plugins of docs/plugins.md work in a folder outside the repository: they pass the published suites, and an
 * instance runs on them.
 */
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { STORAGE_PARTS } from '#core/testing/storage-contract'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'
import { startServer } from '#test/start-server'

/** Minimum number of tests in the suite of each plugin, by its file. For the storage, only tests outside its parts. */
const SUITES = { 'pg-schema': 3, shelf: 40, colleagues: 4, collector: 7 }
const TEMPLATE = 'plugins/create-plugin/templates/storage/src/index.ts.template'

describe('the plugins of docs/plugins.md', needs('postgres'), () => {
  let folder: string
  let database: TestDatabase
  beforeAll(async () => {
    database = await makeDatabase('postgres')
    folder = await mkdtemp(join(tmpdir(), 'mayfly-outside-'))
    await install('mayfly', ROOT)
    for (const name of ['knex', 'vitest']) await install(name, join(ROOT, 'node_modules', name))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const page = await readFile(join(ROOT, 'docs/plugins.md'), 'utf8')
    for (const found of page.matchAll(/<!-- ([a-z-]+) -->\n```js\n([\s\S]*?)```\n<!-- \/\1 -->/g)) {
      const [, kind, plugin = ''] = found
      const [, suite = ''] = /```js\n([\s\S]*?)```/.exec(page.slice(found.index + found[0].length)) ?? []
      const [, file] = /from '\.\/(.*)\.js'/.exec(suite) ?? []
      await writeFile(join(folder, `${file ?? kind}.js`), plugin)
      if (file !== undefined) await writeFile(join(folder, `${file}.test.js`), suite)
    }
  })
  afterAll(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  test('pass the published suites', async () => {
    const env = {
      ...process.env,
      PG_URL: database.options.url ?? '',
      PGOPTIONS: '-c synchronous_commit=off',
      NO_COLOR: '1',
      CI: '',
    }
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
    const names = `^(?!(${Object.keys(STORAGE_PARTS).join('|')}) )`
    const args = [vitest, 'run', '--root', folder, '-t', names, '--testTimeout', '60000', '--reporter', 'json']
    const options = { cwd: folder, env, maxBuffer: 2 ** 26 }
    // A failed run writes its report, too.
    const { stdout } = await promisify(execFile)(process.execPath, args, options).catch((failed) => failed)
    const { testResults }: Report = JSON.parse(stdout)
    const passed = testResults.map(({ name, assertionResults }) => {
      const results = assertionResults.filter(({ status }) => status !== 'skipped')
      expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
      return [basename(name, '.test.js'), results.length] as const
    })
    expect(passed.map(([name]) => name).sort()).toEqual(Object.keys(SUITES).sort())
    for (const [name, count] of passed) expect(count).toBeGreaterThanOrEqual(SUITES[name as keyof typeof SUITES])
  }, 300_000)

  test('include the storage of new projects, which passes the whole suite in create-plugin.test.ts', async () => {
    const withoutName = (code: string) => code.replace(/^\/\*\*.*\n/m, '').replace(/^ {2}name: .*\n/m, '')
    const plugin = await readFile(join(folder, 'pg-schema.js'), 'utf8')
    expect(withoutName(plugin)).toBe(withoutName(await readFile(join(ROOT, TEMPLATE), 'utf8')))
  })

  test('add commands', () => {
    const args = [join(ROOT, 'dist/cli.js'), 'greeting', 'print', 'alice']
    const env = { ...process.env, MAYFLY_PLUGINS: './command.js' }
    expect(execFileSync(process.execPath, args, { cwd: folder, env }).toString()).toBe('Hello, alice!\n')
  })

  test('run in one instance', async () => {
    const events: unknown[] = []
    const queue = createServer(async (request, response) => {
      events.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
      response.end()
    })
    await once(queue.listen(0, '127.0.0.1'), 'listening')
    const settings = {
      plugins: ['./settings.js', './channel.js'],
      queue: { url: `http://127.0.0.1:${(queue.address() as AddressInfo).port}` },
      storage: './pg-schema.js',
      files: './shelf.js',
      auth: ['./colleagues.js', 'local-auth'],
      'pg-schema': { url: database.options.url, schema: 'beside_others' },
    }
    await writeFile(join(folder, 'mayfly.config.json'), JSON.stringify(settings))
    const dataDir = join(folder, 'data')
    await mkdir(dataDir)
    const hash = execFileSync(process.execPath, [
      '-p',
      "crypto.scryptSync('correct horse', 'salt', 32).toString('hex')",
    ])
    const alice = { id: '17', name: 'alice', email: 'alice@example.org', salt: 'salt', hash: `${hash}`.trim() }
    await writeFile(join(dataDir, 'colleagues.json'), JSON.stringify([alice]))
    const server = await startServer({ dataDir, args: ['--config', join(folder, 'mayfly.config.json')] })
    try {
      const mayfly = (args: string[], input?: Buffer) =>
        execFileSync(process.execPath, [join(ROOT, 'dist/cli.js'), ...args], {
          env: { ...process.env, MAYFLY_SERVER: server.url },
          ...(input && { input }),
          cwd: folder,
        })
      const bytes = randomBytes(3 * 2 ** 20)
      await writeFile(join(folder, 'photo.bin'), bytes)
      const link = mayfly(['secret', 'create', '--file', 'photo.bin'], Buffer.from('hello')).toString().trim()
      mayfly(['secret', 'read', link, '--out-dir', 'got'])
      expect((await readFile(join(folder, 'got/photo.bin'))).equals(bytes)).toBe(true)
      await vi.waitFor(() => expect(events).toMatchObject([{ type: 'secret.viewed', data: { views: 1 } }]), 10_000)
      const response = await fetch(`${server.url}/api/v1/authentication/signin`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: server.url },
        body: JSON.stringify({ username: 'alice', password: 'correct horse' }),
      })
      expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ username: 'alice' })])
      const config = ['--config', 'mayfly.config.json']
      mayfly(['settings', 'set', 'notice.text=Grüße ☃', ...config])
      expect(mayfly(['settings', 'get', 'notice.text', ...config]).toString()).toBe('Grüße ☃\n')
      await vi.waitFor(
        async () => {
          const notice = await fetch(`${server.url}/api/v1/notice`)
          expect(await notice.json()).toEqual({ text: 'Grüße ☃', level: 'info' })
        },
        { timeout: 5000 },
      )
      const { rows } = await database.db.raw('select count(*)::int as n from beside_others.secrets')
      expect(rows[0].n).toBeGreaterThanOrEqual(0)
    } finally {
      await server.stop()
      queue.close()
    }
  })

  /** Has the same result as `npm install`, in less time. */
  async function install(name: string, from: string): Promise<void> {
    await mkdir(join(folder, 'node_modules'), { recursive: true })
    await symlink(from, join(folder, 'node_modules', name))
  }
})

/** The output of vitest's JSON reporter. */
interface Report {
  testResults: { name: string; assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}
