import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { run } from '#test/run-cli'

let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-audit-'))
  database = await makeDatabase('sqlite')
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** Exit code and the JSON result. */
async function verify(...args: string[]) {
  const { code, stdout } = await runOn('audit', 'verify', '--json', ...args)
  return { code, ...JSON.parse(`${stdout}` || '{}') }
}
const runOn = (...args: string[]) => run(args, { env: { ...database.env, MAYFLY_DATA_DIR: folder } })

test('V16.4.2: audit verify finds changed and deleted entries, and an anchor finds a log that was rewritten', async () => {
  for (const name of ['anna', 'zoey', 'otto'])
    expect((await runOn('user', 'add', name, '--email', `${name}@example.org`)).code).toBe(0)
  const before = await verify()
  expect(before).toMatchObject({
    code: 0,
    problems: [],
    anchor: expect.stringMatching(/^\d+:[0-9a-f]{64}$/),
  })
  expect(await verify('--anchor', before.anchor)).toMatchObject({ code: 0, givenAnchor: 'found' })
  const other = `${before.anchor.slice(0, -1)}${before.anchor.endsWith('0') ? '1' : '0'}`
  expect(await verify('--anchor', other)).toMatchObject({ code: 9, problems: [], givenAnchor: 'changed' })

  const { db } = database
  const [entry] = await db('audit').limit(1)
  const inserted = { ...entry, id: `${entry.id}`.replace(/^./, 'z'), position: 0 }
  await db('audit').insert(inserted)
  expect(await verify()).toMatchObject({ code: 9, problems: [{ problem: 'repeated' }] })
  await db('audit').where({ id: inserted.id }).delete()
  expect(await verify()).toMatchObject({ code: 0 })
  const changed = db('audit').where({ subject: 'zoey' })
  const { position } = await changed.clone().first('position')
  await changed.update({ actor: 'mallory ☃' })
  expect(await verify()).toMatchObject({ code: 9, problems: [{ position: Number(position), problem: 'changed' }] })
  const shown = await runOn('audit', 'verify')
  expect(`${shown.stdout}`).toContain(`entry ${position} was changed, or the one before it was\n`)
  await db('audit').where({ position }).delete()
  expect(await verify()).toMatchObject({ code: 9, problems: [{ position: Number(position), problem: 'missing' }] })
  await db('audit').where('position', '>=', position).delete()
  expect(await verify()).toMatchObject({ code: 9, problems: [{ position: Number(position), problem: 'missing' }] })
})

test.each([
  ['an anchor that is none', ['verify', '--anchor', '7']],
  ['an unknown task', ['check']],
  ['a server', ['verify', '--server', 'https://secrets.example.org']],
])('audit verify with %s exits with 2', async (_, args) => {
  expect((await runOn('audit', ...args)).code).toBe(2)
})
