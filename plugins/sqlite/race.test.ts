/** Several processes of the operating system on one database file. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Attempts, SweptSecret, ViewedSecret } from '#core'
import { aHash, aSecret, MINUTE, openStorage, T0 } from '#core/testing'
import { migrations } from '#migrations'
import { connect } from './connection.js'
import sqlite from './index.js'
import type { Answer, Call } from './race-worker.js'

const PROCESSES = [0, 1, 2, 3]
const LATER = T0 + 20 * MINUTE

let builds: string
let dataDir: string
let processes: ChildProcess[]

beforeAll(async () => {
  builds = await mkdtemp(join(tmpdir(), 'mayfly-race-'))
  await build({
    entryPoints: [fileURLToPath(new URL('race-worker.ts', import.meta.url))],
    outfile: join(builds, 'worker.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
  })
})
afterAll(() => rm(builds, { recursive: true }))

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-race-'))
  processes = await Promise.all(PROCESSES.map(start))
})
afterEach(async () => {
  await Promise.all(processes.map(kill))
  await rm(dataDir, { recursive: true })
})

test('a database that is not there yet is made and migrated by all at once', async () => {
  await inEach(() => [['open']])
  const ran = await inEach<string[]>(() => [['storage.migrate']])
  expect(ran.flat(2)).toEqual(migrations.map(({ name }) => name))
  await inEach(() => [['secrets.create', aSecret(), T0]])
})

test('every secret is viewed exactly as often as it may be, and every retry gets what its claim got', async () => {
  await openAll()
  const secrets = [1, 2, 3, 7].flatMap((maxViews) => Array.from({ length: 10 }, () => aSecret({ maxViews })))
  await inEach((process) => (process === 0 ? secrets.map((secret) => ['secrets.create', secret, T0]) : []))
  const claims = PROCESSES.map(() => secrets.map(() => Array.from({ length: 4 }, () => aHash())))
  // Each claim is used twice in a row, all secrets in the same order everywhere.
  const attempts = (process: number) =>
    secrets.flatMap(({ id }, index) =>
      claims[process]?.[index]?.flatMap((claim) => Array(2).fill(['secrets.view', id, claim, T0, MINUTE])),
    ) as Call[]
  const viewed = await inEach<ViewedSecret | null>(attempts)
  for (const [index, { maxViews, text }] of secrets.entries()) {
    const answers = viewed.flatMap((ofProcess) => ofProcess.slice(index * 8, index * 8 + 8))
    expect(answers.filter((answer) => answer?.counted === true)).toHaveLength(maxViews ?? 0)
    expect(answers.filter((answer) => answer?.text === text)).toHaveLength(2 * (maxViews ?? 0))
  }
})

test('wrong passwords are counted exactly', async () => {
  await openAll()
  const secret = aSecret()
  await inEach((process) => (process === 0 ? [['secrets.create', secret, T0]] : []))
  const attempts = await inEach<Attempts>(() => Array(15).fill(['secrets.passwordFailed', secret.id, T0, MINUTE]))
  const counted = attempts.flat().filter((attempt) => attempt.counted)
  expect(counted.map(({ attemptsLeft }) => attemptsLeft).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('one of many creates with one replay key stores, and one of many burns deletes', async () => {
  await openAll()
  const replay = { keyHash: aHash(), answer: 'first ☃', expiresAt: LATER }
  const secrets = PROCESSES.map(() => Array.from({ length: 10 }, () => aSecret()))
  const created = await inEach((process) =>
    (secrets[process] ?? []).map((secret) => ['secrets.create', secret, T0, replay]),
  )
  expect(created.flat().filter((answer) => answer === null)).toHaveLength(1)
  const burned = await inEach(() => secrets.flat().map(({ id }) => ['secrets.burn', id, T0]))
  expect(burned.flat().filter((answer) => answer === true)).toHaveLength(1)
})

test('what expired is swept once, while others write', async () => {
  await openAll()
  const secrets = Array.from({ length: 40 }, () => aSecret())
  await inEach((process) => (process === 0 ? secrets.map((secret) => ['secrets.create', secret, T0]) : []))
  const swept: SweptSecret[] = []
  for (let round = 0; round < 3; round++) {
    const answers = await inEach<SweptSecret[] | null>(() => [
      ['secrets.sweep', LATER, 20],
      ...Array.from({ length: 5 }, () => ['secrets.create', aSecret({ expiresAt: LATER + 1 }), LATER] as Call),
    ])
    swept.push(...answers.flat(2).filter((each) => each !== null))
  }
  expect(swept.map(({ id }) => id).sort()).toEqual(secrets.map(({ id }) => id).sort())
})

test('a process that dies in the middle leaves nothing half done, and no burned text', async () => {
  await openAll()
  const [victim, witness] = processes as [ChildProcess, ChildProcess]
  const secret = aSecret({ maxViews: 1000, text: 'not burned' })
  await run(witness, [['secrets.create', secret, T0]])
  let answers = 0
  const views = () => Array.from({ length: 200 }, () => ['secrets.view', secret.id, aHash(), T0, MINUTE] as Call)
  const dying = run(victim, views(), () => ++answers === 50 && victim.kill('SIGKILL')).catch((error) => error.message)
  const living = await run(witness, views())
  expect(await dying).toBe('the process ended')
  expect(living.filter((viewed) => viewed !== null)).toHaveLength(200)
  const burned = aSecret({ text: 'burned, but not scrubbed' })
  await run(witness, [['secrets.create', burned, T0]])
  await run(witness, [['secrets.burn', burned.id, T0]])
  await Promise.all(processes.map(kill))

  const { storage, close } = await openStorage(sqlite, { dataDir })
  expect(await remains('burned, but not scrubbed')).toBe(false)
  expect(await remains('not burned')).toBe(true)
  const db = connect(join(dataDir, 'mayfly.db'), 1000)
  const [{ integrity_check: integrity }] = await db.raw('PRAGMA integrity_check')
  const claims = await db('claims').where({ secret_id: secret.id }).pluck('claim_hash')
  expect(integrity).toBe('ok')
  // Every counted view has its claim and the other way round; what was answered before the end is among them.
  expect(await storage.secrets.peek(secret.id, T0)).toMatchObject({ views: claims.length })
  expect(claims.length).toBeGreaterThanOrEqual(250)
  await db.destroy()
  await close()
})

async function remains(text: string): Promise<boolean> {
  const files = await Promise.all(['mayfly.db', 'mayfly.db-wal'].map((name) => readFile(join(dataDir, name), 'latin1')))
  return files.some((file) => file.includes(text))
}

async function openAll(): Promise<void> {
  await inEach(() => [['open']])
  await inEach(() => [['storage.migrate']])
}

/** What each process answered to the calls that it got, all of them made at the same time. */
function inEach<T>(callsOf: (process: number) => Call[]): Promise<T[][]> {
  return Promise.all(processes.map((process, index) => run<T>(process, callsOf(index))))
}

/** Rejects when a call failed or the process ended. */
function run<T>(process: ChildProcess, calls: Call[], onAnswer?: () => void): Promise<T[]> {
  return new Promise((resolve, reject) => {
    const values: T[] = []
    let missing = calls.length
    const hear = (answer: Answer) => {
      if ('error' in answer) reject(new Error(`${calls[answer.index]?.[0]}: ${answer.error}`))
      else values[answer.index] = answer.value as T
      missing -= 1
      onAnswer?.()
      if (missing === 0) finish()
    }
    const finish = () => {
      process.off('message', hear)
      resolve(values)
    }
    if (missing === 0) return finish()
    process.on('message', hear)
    process.once('exit', () => reject(new Error('the process ended')))
    process.send(calls)
  })
}

async function start(): Promise<ChildProcess> {
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
  const child = fork(join(builds, 'worker.cjs'), [dataDir], { env: { ...process.env, NODE_PATH: modules } })
  await once(child, 'message')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
