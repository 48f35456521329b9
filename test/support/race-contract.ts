/**
 * Requirements of the storage contract under concurrency: several operating system processes on one database, on every
 * engine.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConsumeRequest, ConsumeResult } from '#core/contracts/limits'
import type {
  DeletedSecret,
  PasswordAttempts,
  RecipientView,
  SubmitResult,
  ViewedSecret,
} from '#core/contracts/storage'
import { aHash, aRequest, aSecret, aUser, MINUTE, T0 } from '#core/testing/lib/fixtures'
import { migrations } from '#migrations'
import { type EngineName, makeDatabase, type TestDatabase } from './databases.js'
import { needsOf } from './for-each-engine.js'
import { buildWorker, type Processes, startProcesses } from './processes.js'
import type { Call } from './race-worker.js'

const PROCESSES = [0, 1, 2, 3]
const LATER = T0 + 20 * MINUTE

/** Call it in a test file of an engine's plugin. */
export function raceContract(engine: EngineName, make = () => makeDatabase(engine)): void {
  describe(`${PROCESSES.length} processes on ${engine}`, needsOf(engine), () => defineTests(engine, make))
}

function defineTests(engine: EngineName, make: () => Promise<TestDatabase>): void {
  let worker: Awaited<ReturnType<typeof buildWorker>>
  let database: TestDatabase
  let processes: Processes
  beforeAll(async () => {
    worker = await buildWorker(engine)
    database = await make()
    processes = await startProcesses(worker.file, database, PROCESSES.length)
  })
  afterAll(async () => {
    await processes.killAll()
    await database.drop()
    await worker.remove()
  })
  beforeEach(() => database.empty())

  test('all processes migrate an empty database concurrently', async () => {
    await processes.inEach(() => [['open']])
    const ran = await processes.inEach<string[]>(() => [['storage.migrate']])
    expect(ran.flat(2).sort()).toEqual(migrations.map(({ name }) => name))
    await processes.inEach(() => [['secrets.create', { secret: aSecret(), now: T0 }]])
  })

  // In rounds, so that calls do not time out on a slow machine.
  test.each([1, 2, 3, 7])(
    'a secret with %i views is viewed exactly as often, and every retry gets the same view',
    async (maxViews) => {
      await processes.openAll()
      const secrets = Array.from({ length: 10 }, () => aSecret({ maxViews }))
      await processes.run(
        0,
        secrets.map((secret) => ['secrets.create', { secret, now: T0 }]),
      )
      // Each claim is used twice in a row, all secrets in the same order everywhere.
      const attempts = () =>
        secrets.flatMap(({ id }) =>
          Array.from({ length: 4 }, () => aHash()).flatMap((claim) =>
            Array<Call>(2).fill(['secrets.view', { id, claimHash: claim, now: T0, graceMs: MINUTE }]),
          ),
        )
      const viewed = await processes.inEach<ViewedSecret | null>(attempts)
      for (const [index, { text }] of secrets.entries()) {
        const results = viewed.flatMap((ofProcess) => ofProcess.slice(index * 8, index * 8 + 8))
        expect(results.filter((result) => result?.counted === true)).toHaveLength(maxViews)
        expect(results.filter((result) => result?.text === text)).toHaveLength(2 * maxViews)
      }
    },
  )

  test('of two named recipients who race for one view in all processes, one gets it, with a code that works once', async () => {
    await processes.openAll()
    const secrets = Array.from({ length: 6 }, (_, at) => aSecret({ recipients: 2, maxViews: at % 2 ? 1 : 9 }))
    const codes = secrets.map(() => [aHash(), aHash()])
    const setCodes = secrets.flatMap(({ id }, at) =>
      (codes[at] ?? []).map(
        (codeHash, index): Call => [
          'namedRecipients.setCode',
          { secretId: id, number: index + 1, codeHash, expiresAt: T0 + MINUTE },
        ],
      ),
    )
    const create = secrets.map(
      (secret): Call => ['secrets.create', { secret, now: T0, addressHashes: [aHash(), aHash()] }],
    )
    await processes.run(0, create)
    await processes.run(0, setCodes)
    const view = { now: T0, graceMs: MINUTE, lockMs: MINUTE }
    const results = await processes.inEach<RecipientView | null>(() =>
      secrets.flatMap(({ id }, at) =>
        (codes[at] ?? []).map(
          (codeHash): Call => ['namedRecipients.view', { ...view, id, codeHash, claimHash: aHash() }],
        ),
      ),
    )
    for (const [at, { maxViews }] of secrets.entries()) {
      const ofSecret = results.flatMap((ofProcess) => ofProcess.slice(at * 2, at * 2 + 2))
      const counted = ofSecret.filter((result) => result?.outcome === 'viewed' && result.secret.counted)
      expect(counted).toHaveLength(maxViews === 1 ? 1 : 2)
    }
  })

  test('60 requests with one slot get one submission each, of 32 submitters each, which opens once', async () => {
    await processes.openAll()
    // Of requests that are counted after a read, each server stores several submissions for a quarter.
    const requests = Array.from({ length: 60 }, () => aRequest())
    const stored: string[] = []
    // In rounds, so that calls do not time out on a slow machine.
    for (let from = 0; from < requests.length; from += 4) {
      const round = requests.slice(from, from + 4)
      await processes.run(
        0,
        round.map((request) => ['requests.create', { request, now: T0 }]),
      )
      const results = await processes.inEach<SubmitResult>(() =>
        round.flatMap(({ id }) =>
          Array.from({ length: 32 / PROCESSES.length }, () => {
            return ['requests.submit', id, { secret: aSecret(), size: 1 }, T0] as Call
          }),
        ),
      )
      stored.push(...results.flat().map(({ outcome }) => outcome))
    }
    expect(stored.filter((outcome) => outcome === 'stored')).toHaveLength(60)
    expect(stored.filter((outcome) => outcome === 'refused')).toHaveLength(60 * 31)
    const counts = await database.db('submissions').groupBy('request_id').count({ count: '*' })
    expect(counts.map(({ count }) => Number(count))).toEqual(requests.map(() => 1))
    expect(await database.db('secrets')).toHaveLength(60)
    const ids: string[] = await database.db('submissions').pluck('secret_id')
    for (let from = 0; from < ids.length; from += 30) {
      const round = ids.slice(from, from + 30)
      const views = await processes.inEach<ViewedSecret | null>(() =>
        round.map((id) => ['secrets.view', { id, claimHash: aHash(), now: T0, graceMs: MINUTE }] as Call),
      )
      for (const index of round.keys()) expect(views.filter((ofProcess) => ofProcess[index] !== null)).toHaveLength(1)
    }
  })

  test('REL-17: wrong passwords are counted exactly', async () => {
    await processes.openAll()
    const secret = aSecret()
    await processes.inEach((process) => (process === 0 ? [['secrets.create', { secret, now: T0 }]] : []))
    const attempts = await processes.inEach<PasswordAttempts>(() =>
      Array(15).fill(['secrets.recordWrongPassword', { id: secret.id, now: T0, lockMs: MINUTE }]),
    )
    const counted = attempts.flat().filter((attempt) => attempt.counted)
    expect(counted.map(({ attemptsLeft }) => attemptsLeft).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('one of many creates with one idempotency key stores, and one of many burns returns true', async () => {
    await processes.openAll()
    const record = { keyHash: aHash(), response: 'first ☃', expiresAt: LATER }
    const secrets = PROCESSES.map(() => Array.from({ length: 10 }, () => aSecret()))
    const created = await processes.inEach((process) =>
      (secrets[process] ?? []).map((secret) => ['secrets.create', { secret, now: T0, record }]),
    )
    expect(created.flat().filter((result) => result === null)).toHaveLength(1)
    const burned = await processes.inEach(() => secrets.flat().map(({ id }) => ['secrets.burn', { id, now: T0 }]))
    expect(burned.flat().filter((result) => result === true)).toHaveLength(1)
  })

  test('600 requests of six processes, 120 at a time, get the 30 points of a limit', async () => {
    // Small batches, so that there are many transactions.
    const options = { ...database.options, batchSize: '4' }
    const six = await startProcesses(worker.file, { ...database, options }, 6)
    try {
      await six.openAll()
      const take = (name: string): ConsumeRequest => ({ name, points: 1, limit: 30, windowMs: MINUTE })
      // Each call also has a new counter, which must be inserted.
      const calls = () =>
        Array.from({ length: 20 }, () => ['limits.consume', [take(aHash()), take('shared')], T0] as Call)
      const taken: ConsumeResult[][] = []
      // In rounds, so that calls do not time out on a slow machine.
      for (let round = 0; round < 5; round++) taken.push(...(await six.inEach<ConsumeResult[]>(calls)).flat())
      const used = taken.flatMap(([, shared]) => (shared?.granted ? shared.used : []))
      expect(used.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
      expect(taken.filter(([own]) => own?.granted && own.used === 1)).toHaveLength(600)
    } finally {
      await six.killAll()
    }
  })

  test('each expired secret is deleted by one process while others write', async () => {
    await processes.openAll()
    const secrets = Array.from({ length: 40 }, () => aSecret())
    await processes.inEach((process) =>
      process === 0 ? secrets.map((secret) => ['secrets.create', { secret, now: T0 }]) : [],
    )
    const swept: DeletedSecret[] = []
    for (let round = 0; round < 3; round++) {
      const results = await processes.inEach<DeletedSecret[] | null>(() => [
        ['secrets.deleteExpired', { now: LATER, limit: 20 }],
        ...Array.from(
          { length: 5 },
          () => ['secrets.create', { secret: aSecret({ expiresAt: LATER + 1 }), now: LATER }] as Call,
        ),
      ])
      swept.push(...results.flat(2).filter((each) => each !== null))
    }
    expect(swept.map(({ id }) => id).sort()).toEqual(secrets.map(({ id }) => id).sort())
  })

  test('one process creates the first administrator, and the last administrator stays', async () => {
    await processes.openAll()
    const codes = await processes.inEach<string>(() =>
      Array.from({ length: 5 }, () => ['users.create?', aUser({ role: 'admin' }), { unlessAdmin: true }] as Call),
    )
    expect(codes.flat().filter((code) => code === 'done')).toHaveLength(1)
    expect(codes.flat().filter((code) => code === 'storage.conflict')).toHaveLength(19)
    const more = Array.from({ length: 7 }, () => aUser({ role: 'admin' }))
    const created = await processes.run<null>(0, [
      ...more.map((user) => ['users.create', user] as Call),
      ['users.list', { role: 'admin' }, { skip: 0, take: 10 }, T0],
    ])
    expect(created).toHaveLength(8)
    const admins = (await database.db('users').pluck('id')) as string[]
    const going = await processes.inEach<string>(() =>
      admins.map((id, at) => (at % 2 ? ['users.remove?', id, T0] : ['users.update?', id, { role: 'user' }]) as Call),
    )
    expect(going.flat()).toContain('user.last_admin')
    expect(await database.db('users').where({ role: 'admin' })).toHaveLength(1)
  })

  // The last one, as it kills them.
  test('a killed process leaves no partial write', async () => {
    await processes.openAll()
    const [VICTIM, WITNESS] = [0, 1]
    const secret = aSecret({ maxViews: 1000 })
    await processes.run(WITNESS, [['secrets.create', { secret, now: T0 }]])
    let results = 0
    /** 200 views in rounds, so that calls do not time out on a slow machine. */
    const view = async (process: number, onAnswer?: () => void) => {
      const viewed: unknown[] = []
      while (viewed.length < 200) {
        const round = Array.from(
          { length: 40 },
          () => ['secrets.view', { id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE }] as Call,
        )
        viewed.push(...(await processes.run(process, round, onAnswer)))
      }
      return viewed
    }
    // In the middle of a round.
    const dies = () => ++results === 60 && void processes.kill(VICTIM)
    const dying = view(VICTIM, dies).catch((error) => error.message)
    const living = await view(WITNESS)
    expect(await dying).toBe('the process ended')
    expect(living.filter((viewed) => viewed !== null)).toHaveLength(200)
    await processes.killAll()

    const { storage, close } = await database.open()
    // Every counted view has a claim and vice versa, including the views returned before the kill.
    const claims = await database.db('claims').where({ secret_id: secret.id }).pluck('claim_hash')
    expect(await storage.secrets.peek(secret.id, T0)).toMatchObject({ views: claims.length })
    expect(claims.length).toBeGreaterThanOrEqual(260)
    await close()
  })
}
