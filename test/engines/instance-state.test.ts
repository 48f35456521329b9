/** The instance state: in no backup, and part of a copy. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '#core'
import { issueSetupCode, SETUP_CODE_ENDS, SETUP_CODE_HASH, setUpInstance } from '#core/auth/setup-code'
import { CLOCK_KEY } from '#core/cleanup/scheduler'
import { anonymous } from '#core/contracts/auth-context'
import { type Entry, entriesOf } from '#core/export/archive'
import { MANIFEST } from '#core/export/backup-format'
import { INSTANCE_KEY } from '#core/settings/instance-key'
import { aUser, DAY, T0 } from '#core/testing'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { run } from '#test/run-cli'
import { type TestApp, testApp } from '#test/test-app'

const NAMES = [INSTANCE_KEY, SETUP_CODE_HASH, SETUP_CODE_ENDS, CLOCK_KEY]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-state-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function opened<T>(database: TestDatabase, work: (storage: Storage) => Promise<T>): Promise<T> {
  const { storage, close } = await database.open()
  return work(storage).finally(close)
}

async function readState({ instanceState }: Storage): Promise<Record<string, string | null>> {
  return Object.fromEntries(await Promise.all(NAMES.map(async (name) => [name, await instanceState.get(name)])))
}

/** Runs an instance without an administrator on the database, and issues a setup code. */
async function startInstance(database: TestDatabase): Promise<{ app: TestApp; code: string }> {
  const app = await testApp(database.storage, { now: T0 })
  await app.storage.instanceState.set(CLOCK_KEY, String(T0 + DAY))
  return { app, code: (await issueSetupCode(app)) ?? '' }
}

describeEachEngine((engine) => {
  let database: TestDatabase
  let state: Record<string, string | null>
  let code: string
  beforeAll(async () => {
    database = await makeDatabase(engine)
    const instance = await startInstance(database)
    code = instance.code
    state = await readState(instance.app.storage)
    await instance.app.storage.settings.set({ read_only: 'true' })
    await instance.app.close()
  })
  afterAll(() => database.drop())

  test('db copy keeps the instance key, the setup code and the clock', async () => {
    const target = await makeDatabase(engine)
    const urlOf = ({ options }: TestDatabase) => options.url ?? `sqlite:${options.file}`
    const { code, stdout, stderr } = await run(['db', 'copy', '--from', urlOf(database), '--to', urlOf(target)])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) })
    expect(`${stdout}`).toContain('instance_state\t4\t4\tok\n')
    expect(await opened(target, readState)).toEqual(state)
    await target.drop()
  })

  test('the setup code of an earlier start creates the administrator', async () => {
    const app = await testApp(database.storage, { now: T0 })
    const { username, email } = aUser()
    await app.storage.instanceState.set(SETUP_CODE_ENDS, String(T0 + 2 * DAY))
    await setUpInstance(app, { username, email, password: 'twelve chårs', code }, anonymous(null), '')
    expect(await app.storage.users.find(username)).toMatchObject({ role: 'admin' })
    await app.close()
  })
})

describe('a backup', () => {
  let source: TestDatabase
  let file: string
  let state: Record<string, string | null>
  beforeAll(async () => {
    source = await makeDatabase('sqlite')
    const { app } = await startInstance(source)
    await app.storage.users.create(aUser({ username: 'zoë' }))
    await app.storage.settings.set({ read_only: 'true' })
    state = await readState(app.storage)
    await app.close()
    file = join(folder, 'backup.tar')
    const made = await run(['backup', file], { env: { ...source.env, MAYFLY_PLUGINS: ',' }, cwd: folder })
    expect(made).toMatchObject({ code: 0 })
  })
  afterAll(() => source.drop())

  /** The state and the settings of a new instance after a restore. */
  async function restore(backup: string) {
    const target = await makeDatabase('sqlite')
    const { code, stderr } = await run(['restore', backup, '--accept-unauthenticated'], {
      env: { ...target.env, MAYFLY_PLUGINS: ',' },
      cwd: folder,
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('restored 1 user') })
    const restored = await opened(target, async (storage) => ({
      state: await readState(storage),
      settings: await storage.settings.getAll(),
    }))
    const app = await testApp(target.storage, { now: T0 })
    const key = await app.storage.instanceState.get(INSTANCE_KEY)
    await app.close()
    await target.drop()
    return { ...restored, key }
  }

  test('has neither the instance key nor the setup code, and a restored instance creates its own key', async () => {
    const bytes = await readFile(file, 'utf8')
    expect(bytes).toContain('zoë')
    for (const value of [...NAMES, state[INSTANCE_KEY], state[SETUP_CODE_HASH]]) expect(bytes).not.toContain(value)
    const restored = await restore(file)
    expect(restored.settings).toEqual({ read_only: 'true' })
    expect(restored.state).toEqual({
      ...Object.fromEntries(NAMES.map((name) => [name, null])),
      [CLOCK_KEY]: String(await createdAtOf(file)),
    })
    expect(restored.key).toHaveLength(43)
    expect(restored.key).not.toBe(state[INSTANCE_KEY])
  })
})

const textOf = async ({ body }: Entry): Promise<string> => (await buffer(body)).toString()

async function createdAtOf(file: string): Promise<number> {
  for await (const entry of entriesOf(Readable.from([await readFile(file)]), 2 ** 20)) {
    if (entry.name === MANIFEST) return JSON.parse(await textOf(entry)).createdAt
  }
  throw new Error('no manifest')
}
