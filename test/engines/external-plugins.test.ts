/** The plugins of docs/plugins.md, taken from that page to a folder outside: they pass the suites, and an instance runs on them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { ROOT } from '#test/source-files'
import { startServer } from '#test/start-server'

let folder: string
let database: TestDatabase
beforeAll(async () => {
  database = await makeDatabase('postgres')
  folder = await mkdtemp(join(tmpdir(), 'mayfly-outside-'))
  await installed('mayfly', ROOT)
  for (const name of ['knex', 'vitest']) await installed(name, join(ROOT, 'node_modules', name))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const page = await readFile(join(ROOT, 'docs/plugins.md'), 'utf8')
  for (const [, kind, plugin = '', suite = ''] of page.matchAll(
    /<!-- ([a-z-]+) -->\n```js\n([\s\S]*?)```\n<!-- \/\1 -->[\s\S]*?```js\n([\s\S]*?)```/g,
  )) {
    const [, file = kind] = /from '\.\/(.*)\.js'/.exec(suite) ?? []
    await writeFile(join(folder, `${file}.js`), plugin)
    await writeFile(join(folder, `${file}.test.js`), suite)
  }
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** As after `npm install`, but for the time that takes. */
async function installed(name: string, from: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  await symlink(from, join(folder, 'node_modules', name))
}

test.each([
  ['pg-schema', 120],
  ['shelf', 40],
  ['colleagues', 4],
])(
  '%s passes its suite',
  (name, laws) => {
    const env = {
      ...process.env,
      PG_URL: database.options.url ?? '',
      PGOPTIONS: '-c synchronous_commit=off',
      NO_COLOR: '1',
      CI: '',
    }
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        join(ROOT, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--root',
        folder,
        '--testTimeout',
        '60000',
        `${name}.test.js`,
      ],
      { cwd: folder, env, encoding: 'utf8' },
    )
    const [, passed] = /Tests {2}(\d+) passed \(\1\)/.exec(stdout) ?? []
    expect(Number(passed), stdout + stderr).toBeGreaterThanOrEqual(laws)
  },
  300_000,
)

test('an instance runs on the three of them', async () => {
  const settings = {
    storage: './pg-schema.js',
    files: './shelf.js',
    auth: ['./colleagues.js', 'local-auth'],
    'pg-schema': { url: database.options.url, schema: 'beside_others' },
  }
  await writeFile(join(folder, 'mayfly.config.json'), JSON.stringify(settings))
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const hash = execFileSync(process.execPath, ['-p', "crypto.scryptSync('correct horse', 'salt', 32).toString('hex')"])
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
    const answer = await fetch(`${server.url}/api/v1/authentication/signin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: server.url },
      body: JSON.stringify({ username: 'alice', password: 'correct horse' }),
    })
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ username: 'alice' })])
    const { rows } = await database.db.raw('select count(*)::int as n from beside_others.secrets')
    expect(rows[0].n).toBeGreaterThanOrEqual(0)
  } finally {
    await server.stop()
  }
})
