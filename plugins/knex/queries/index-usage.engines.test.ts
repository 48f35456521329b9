/** Queries do not scan whole tables: checks each engine's query plans, with enough rows that it prefers an index. */
import type { Knex } from 'knex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAIN_START, chainEntries } from '#core'
import {
  aDeviceLogin,
  aHash,
  anAuditEntry,
  anAuthenticator,
  anEvent,
  anIdentity,
  anUpload,
  aPasskey,
  aPublicSecret,
  aRequest,
  aSecret,
  aSession,
  aToken,
  aUser,
  aWebhook,
  MINUTE,
  T0,
} from '#core/testing'
import { type EngineName, makeDatabase, type TestDatabase } from '#test/databases'
import { describeEachEngine, testEachEngine } from '#test/for-each-engine'
import { needs } from '#test/needs'
import { knexStorage } from '../index.js'
import { toNamedRecipientRow } from '../queries/named-recipients.js'
import { toNewEventRows } from '../queries/new-events.js'
import { toAuditRow, toIdentityRow, toSessionRow, toTokenRow, toUserRow } from '../rows/account-rows.js'
import { toDeviceLoginRow } from '../rows/device-login-rows.js'
import { toEndedSecretRow } from '../rows/ended-secret-rows.js'
import { toAuthenticatorRow, toPasskeyRow } from '../rows/factor-rows.js'
import { toOutboxRow } from '../rows/outbox-rows.js'
import { toReceiptRow } from '../rows/receipt-rows.js'
import { toRequestRow, toSubmissionRow } from '../rows/request-rows.js'
import { toAttachmentRow, toIdempotencyRow, toSecretRow } from '../rows/secret-rows.js'
import { toWebhookRow } from '../rows/webhook-rows.js'

const ROWS = 2000
const BATCH = 5
const LATER = T0 + 60 * MINUTE
/** A receipt with many views. */
const RECEIPT = aHash()

/**
 * New events are read from the start, and few at once. PostgreSQL deletes them without an index while the table has
 * only a few times as many.
 */
const IS_QUEUE = /^(select .* from .new_events. order by .seq. asc limit|delete from .new_events. where .seq. in)/

interface Query {
  sql: string
  bindings: Knex.RawBinding[]
}

describe('on postgres', needs('postgres'), () => {
  test('listDue finds earlier events by their subject, also without statistics of the table', async () => {
    const database = await makeDatabase('postgres')
    const { db } = database
    const { outbox, migrate } = knexStorage(db)
    await migrate()
    await outbox.append(Array.from({ length: 500 }, () => anEvent()))
    const queries: Query[] = []
    db.on('query', ({ sql, bindings }) => queries.push({ sql, bindings }))
    expect(await outbox.listDue('hook', T0, 256)).toHaveLength(256)
    const { sql = '', bindings = [] } = queries.find((query) => /as .earlier/.test(query.sql)) ?? {}
    const { rows } = await db.raw(`EXPLAIN ${sql.replace(/\$\d+/g, '?')}`, bindings)
    const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/(Index|Hash) Cond: .*subject\)?(::text)?\)? = /)
    await database.drop()
  })
})

describeEachEngine((engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await makeDatabase(engine)
  })
  afterAll(() => database.drop())

  test('REL-06: queries do not scan whole tables', async () => {
    const { db } = database
    await knexStorage(db).migrate()
    await fill(db)
    // Counts the stored bytes, which is done once.
    await knexStorage(db).attachments.endUnused(T0)
    await db.raw(ANALYZE[engine])
    const queries: Query[] = []
    db.on('query', ({ sql, bindings }) => queries.push({ sql, bindings }))
    await callSecretMethods(db)
    await callReceiptMethods(db)
    await callRecipientMethods(db)
    await callEndedSecretMethods(db)
    await callRequestMethods(db)
    await callAccountMethods(db)
    await callWebhookMethods(db)
    await callFactorMethods(db)
    await callDeviceLoginMethods(db)
    await callBatchedMethods(db)
    db.removeAllListeners('query')
    const planned = queries.filter(({ sql }) => /^(select|update|delete)/.test(sql) && !IS_QUEUE.test(sql))
    expect(planned.length).toBeGreaterThan(75)
    expect(await findFullScans(engine, db, planned)).toEqual([])
  })

  test('REL-06: cleanup of a mostly expired table deletes one batch, using indexes', async () => {
    const { db } = database
    const { secrets } = knexStorage(db)
    const count = async (table: string) => (await db(table).select(db.raw('1'))).length
    const now = LATER + 0.7 * ROWS
    await db.raw(ANALYZE[engine])
    for (let batch = 0; batch < 2; batch++) {
      const before = [await count('secrets'), await count('idempotency_records')]
      const queries: Query[] = []
      db.on('query', ({ sql, bindings }) => queries.push({ sql, bindings }))
      expect(await secrets.deleteExpired({ now, limit: BATCH })).toHaveLength(BATCH)
      db.removeAllListeners('query')
      expect([await count('secrets'), await count('idempotency_records')]).toEqual(before.map((rows) => rows - BATCH))
      // The number of statements does not depend on the number of rows.
      expect(queries.length).toBeLessThan(12)
      const planned = queries.filter(({ sql }) => /^(select|update|delete)/.test(sql))
      expect(await findFullScans(engine, db, planned)).toEqual([])
    }
  })
})

/** The queries that scan a whole table. */
async function findFullScans(engine: EngineName, db: Knex, queries: Query[]): Promise<string[]> {
  const whole: string[] = []
  for (const { sql, bindings } of queries) {
    const plan = await db.raw(`${EXPLAIN[engine]} ${sql.replace(/\$\d+/g, '?')}`, bindings)
    if (HAS_FULL_SCAN[engine](plan)) whole.push(sql)
  }
  return whole
}

const ANALYZE: Record<EngineName, string> = {
  sqlite: 'ANALYZE',
  // Every value is a bound: with the usual 100 an estimate depends on whether an autovacuum still keeps the deleted
  // rows.
  postgres: `SET default_statistics_target = ${ROWS}; ANALYZE`,
  mysql: `ANALYZE TABLE users, identities, sessions, api_tokens, device_logins, audit, secrets, texts, claims, idempotency_records, attachments,
    attachment_parts, tickets, rate_limits, leases, requests, submissions, receipts, receipt_views, ended_secrets, named_recipients,
    webhooks, passkeys, authenticators, recovery_codes, outbox, new_events, instance_state`,
}
const EXPLAIN: Record<EngineName, string> = { sqlite: 'EXPLAIN QUERY PLAN', postgres: 'EXPLAIN', mysql: 'EXPLAIN' }

/** True when a step of the plan reads all rows of a table or of an index. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of a plan depends on the driver.
const HAS_FULL_SCAN: Record<EngineName, (plan: any) => boolean> = {
  // The subqueries `counted`, `recorded` and `expired` are bounded, and a virtual table has the rows of a parameter.
  sqlite: (plan: { detail: string }[]) =>
    plan.some(({ detail }) => /^SCAN (?!(counted|recorded|expired)$|\w+ VIRTUAL)/.test(detail)),
  postgres: ({ rows }: { rows: { 'QUERY PLAN': string }[] }) => {
    const lines = rows.map((row) => row['QUERY PLAN'])
    const isWhole = (line: string, at: number) =>
      /Seq Scan/.test(line) || (/Index.* Scan/.test(line) && !/Index Cond/.test(lines[at + 1] ?? ''))
    return lines.some(isWhole)
  },
  mysql: ([rows]: [{ type: string | null; rows: number }[]]) =>
    rows.some(({ type, rows: read }) => (type === 'ALL' || type === 'index') && read >= ROWS / 2),
}

/** Inserts rows into every table; most secrets are live. */
async function fill(db: Knex): Promise<void> {
  const users = Array.from({ length: ROWS }, (_, index) => aUser({ role: index === 0 ? 'admin' : 'user' }))
  const secrets = users.map((user, index) =>
    aPublicSecret({
      kind: index % 2 === 0 ? 'sealed' : 'public',
      ownerId: user.id,
      createdAt: T0 + index,
      expiresAt: LATER + index,
    }),
  )
  const uploads = secrets.map(({ id }, index) => anUpload({ secretId: id, expiresAt: LATER + index }))
  const requests = users.map(({ id }, index) =>
    aRequest({ ownerId: id, createdAt: T0 + index, expiresAt: LATER + index }),
  )
  const rows: Record<string, object[]> = {
    users: users.map(toUserRow),
    identities: users.map(({ id }) => toIdentityRow(id, anIdentity(), 0)),
    sessions: users.map(({ id: userId }) => ({ ...toSessionRow(aSession({ userId })), previous_hash: aHash() })),
    passkeys: users.map(({ id: userId }) => toPasskeyRow(aPasskey({ userId }))),
    authenticators: users.map(({ id: userId }) => toAuthenticatorRow(anAuthenticator({ userId }))),
    recovery_codes: users.map(({ id }) => ({ user_id: id, hash: aHash(), epoch: 0 })),
    api_tokens: users.map(({ id: userId }) => toTokenRow(aToken({ userId }))),
    device_logins: users.map((_, index) => toDeviceLoginRow(aDeviceLogin({ expiresAt: LATER + index }))),
    webhooks: users.map(({ id: userId }) => toWebhookRow(aWebhook({ userId }))),
    outbox: users.map((_, at) => toOutboxRow(anEvent({ subscriber: `hook-${at}` }))),
    new_events: users.flatMap(() => toNewEventRows([anEvent()])),
    audit: chainEntries(
      CHAIN_START,
      users.map(({ username }, at) => {
        const [actor, subject, action] = [username, username, `${at % 50}`]
        return anAuditEntry({ actor, subject, action, at: T0 + at * MINUTE })
      }),
    ).map(toAuditRow),
    secrets: secrets.map(toSecretRow),
    named_recipients: secrets.map(({ id }) => toNamedRecipientRow(id, 1, aHash())),
    texts: secrets.map(({ id, text }) => ({ secret_id: id, margin: '', text })),
    claims: secrets.map(({ id }) => ({ secret_id: id, claim_hash: aHash(), expires_at: LATER, acked: false })),
    idempotency_records: secrets.map(() => toIdempotencyRow({ keyHash: aHash(), response: '☃', expiresAt: LATER })),
    attachments: uploads.map(toAttachmentRow),
    attachment_parts: uploads.map(({ id }) => ({ attachment_id: id, position: 0 })),
    tickets: uploads.map(({ id }) => ({ hash: aHash(), attachment_id: id, expires_at: LATER })),
    rate_limits: uploads.map(() => ({ name: aHash(), used: 1, ends_at: LATER })),
    ended_secrets: secrets.map((secret, index) =>
      toEndedSecretRow(
        { ...secret, id: aHash(), ownerId: users[index % users.length]?.id ?? '' },
        'expired',
        LATER + index,
      ),
    ),
    receipts: secrets.map((secret, index) => ({
      ...toReceiptRow(secret, index === 0 ? RECEIPT : aHash()),
      ended_at: LATER + index,
    })),
    receipt_views: secrets.map((_, number) => ({
      receipt_hash: RECEIPT,
      number,
      at: T0,
      network: null,
      browser: null,
    })),
    requests: requests.map(toRequestRow),
    submissions: requests.map(({ id }) => toSubmissionRow(id, { secret: aSecret(), size: 1 })),
    instance_state: uploads.map(() => ({ name: aHash(), value: '' })),
    leases: uploads.map(() => ({ name: aHash(), holder: '', ends_at: 0 })),
  }
  for (const [table, all] of Object.entries(rows)) await db.batchInsert(table, all, 40)
}

async function copyUpload(db: Knex): Promise<void> {
  const { secrets, attachments } = knexStorage(db)
  const upload = anUpload({ parts: 1, copies: 2, uploader: aHash() })
  await attachments.reserve(upload, { open: 1, bytes: null, windowMs: MINUTE, storedBytes: null }, T0)
  await attachments.recordPart({ id: upload.id, index: 0, expiresAt: LATER, now: T0 })
  const files = [{ id: upload.id, tokenHash: upload.tokenHash }]
  for (let copy = 0; copy < 2; copy++) await secrets.create({ secret: aSecret({ files: 1 }), now: T0, files })
}

/** All methods except `endUnused`, which reads all files on purpose. */
async function callSecretMethods(db: Knex): Promise<void> {
  const { secrets, users, attachments, leases, limits } = knexStorage(db)
  const [owner, claim] = [aUser(), aHash()]
  const secret = aPublicSecret({ ownerId: owner.id, maxViews: 1, files: 1 })
  const page = { skip: 0, take: 10 }
  await users.create(owner)
  await users.find(owner.username)

  const upload = anUpload({ parts: 1, uploader: aHash() })
  await attachments.reserve(upload, { open: 1, bytes: 10 ** 9, windowMs: MINUTE, storedBytes: null }, T0)
  await attachments.recordPart({ id: upload.id, index: 0, expiresAt: LATER, now: T0 })
  await attachments.listParts(upload.id, T0)
  await attachments.find(upload.id, T0)
  await attachments.cancel(anUpload().id, T0)
  await attachments.cancelAll(aHash(), T0)
  await secrets.findIdempotencyRecord(aHash(), T0)

  const record = { keyHash: aHash(), response: '', expiresAt: T0 + MINUTE }
  const binding = { id: upload.id, tokenHash: upload.tokenHash }
  await secrets.create({ secret, now: T0, record, files: [binding] })
  await secrets.create({ secret, now: T0, record })
  await copyUpload(db)
  await secrets.recordWrongPassword({ id: secret.id, now: T0, lockMs: MINUTE })
  await secrets.listByOwner(owner.id, page, T0)
  await secrets.listPublic({}, page, T0)
  await secrets.listPublic({ username: owner.username }, page, T0)
  await secrets.countLive(page.take, T0)
  for (let time = 0; time < 2; time++) await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })
  await attachments.listBySecret(secret.id, T0)
  const ticket = { hash: aHash(), attachmentId: upload.id, expiresAt: LATER }
  await attachments.createTickets(secret.id, [ticket], LATER)
  await attachments.findByTicket(ticket.hash, T0)
  await secrets.peek(secret.id, T0, claim)
  await secrets.ack(secret.id, claim, T0)
  await secrets.create({ secret: aSecret(), now: T0 })
  await secrets.peekBurnable(secret.id, T0)
  await secrets.burn({ id: secret.id, now: T0 })
  await secrets.deleteExpired({ now: T0 + 20 * MINUTE, limit: 100 })
  await attachments.listEnded(T0, 100)
  await attachments.filterStored([upload.blob])
  await attachments.removeEndedCopies(T0, 100)
  await attachments.remove([upload.blob])
  await attachments.sumBytes()
  const take = { name: aHash(), points: 1, limit: 1, windowMs: MINUTE }
  for (let time = 0; time < 2; time++) await limits.consume([take, { ...take, name: aHash() }], T0)
  await limits.reset([take.name])
  await limits.deleteExpired(T0 + MINUTE, 100)
  for (const holder of ['one', 'other']) await leases.acquire({ name: 'cleanup', holder, until: LATER, now: T0 })
}

async function callRecipientMethods(db: Knex): Promise<void> {
  const { secrets, namedRecipients } = knexStorage(db)
  const secret = aSecret({ recipients: 2, maxViews: 2 })
  await secrets.create({ secret, now: T0, addressHashes: [aHash(), aHash()] })
  const { id } = secret
  await namedRecipients.list(id)
  const codeHash = aHash()
  await namedRecipients.setCode({ secretId: id, number: 1, codeHash, expiresAt: T0 + MINUTE })
  const view = { id, now: T0, graceMs: MINUTE, lockMs: MINUTE }
  for (const code of [aHash(), codeHash]) await namedRecipients.view({ ...view, claimHash: aHash(), codeHash: code })
}

/** All changes of secrets with receipts. */
async function callReceiptMethods(db: Knex): Promise<void> {
  const { secrets, receipts } = knexStorage(db)
  const create = async (differing = {}) => {
    const secret = aSecret({ receiptHash: aHash(), maxViews: 2, ...differing })
    await secrets.create({ secret, now: T0 })
    return secret
  }
  const { id, receiptHash: hash = '', maxViews, expiresAt, allowedIp } = await create()
  const limits = { maxViews, expiresAt, allowedIp }
  await secrets.recordWrongPassword({ id, now: T0, lockMs: MINUTE })
  await secrets.changeLimits({ id, now: T0, from: limits, to: { ...limits, maxViews: 1 } })
  await secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE })
  await secrets.burn({ id: (await create()).id, now: T0 })
  await create({ expiresAt: T0 })
  await secrets.deleteExpired({ now: T0 + 20 * MINUTE, limit: 100 })
  await receipts.find(hash)
  await receipts.recordRefusal(hash, 'address', T0)
  await receipts.deleteEnded(T0, BATCH)
}

/** All queries of ended secrets. */
async function callEndedSecretMethods(db: Knex): Promise<void> {
  const { secrets, endedSecrets, users } = knexStorage(db)
  const owner = aUser()
  await users.create(owner)
  const create = async (differing = {}) => {
    const secret = aSecret({ ownerId: owner.id, ...differing })
    await secrets.create({ secret, now: T0 })
    return secret
  }
  await secrets.view({ id: (await create()).id, claimHash: aHash(), now: T0, graceMs: MINUTE, recordsEnd: true })
  await secrets.burn({ id: (await create()).id, now: T0, events: [], recordsEnd: true })
  await create({ expiresAt: T0 })
  const filter = { ownerId: owner.id, since: T0 - MINUTE, until: T0 }
  const [, last] = await endedSecrets.list(filter, { skip: 0, take: 2 })
  for (const outcome of ['used-up', 'expired'] as const)
    await endedSecrets.list({ ...filter, outcome, ...(last && { after: last }) }, { skip: 0, take: 10 })
  await secrets.deleteExpired({ now: T0 + 20 * MINUTE, limit: 100, recordsEnd: true })
  await endedSecrets.deleteEnded(T0, BATCH)
}

/** All methods of secret requests. */
async function callRequestMethods(db: Knex): Promise<void> {
  const { requests, users } = knexStorage(db)
  const owner = aUser()
  await users.create(owner)
  const request = aRequest({ ownerId: owner.id })
  await requests.create({ request, now: T0 })
  await requests.find(request.id, T0)
  const record = { keyHash: aHash(), response: '', expiresAt: T0 + MINUTE }
  for (let time = 0; time < 2; time++) await requests.submit(request.id, { secret: aSecret(), size: 1, record }, T0)
  await requests.listSubmissions(request.id, T0)
  await requests.listByOwner(owner.id, { skip: 0, take: 10 }, T0)
  await requests.close({ id: request.id, now: T0 })
  await requests.create({
    request: aRequest({ expiresAt: T0 }),
    now: T0,
    record: { keyHash: aHash(), response: '', expiresAt: LATER },
    events: [anEvent()],
  })
  await requests.deleteExpired(T0, BATCH, () => [anEvent()])
  await requests.deleteExpired(T0 + MINUTE, BATCH)
}

/** All methods except unbounded lists, and searches in names, which scan by design. */
/** Without `listTargets` and `listDue`, which read all webhooks. */
async function callWebhookMethods(db: Knex): Promise<void> {
  const { users, userWebhooks } = knexStorage(db)
  const user = aUser()
  const webhook = aWebhook({ userId: user.id })
  await users.create(user)
  await userWebhooks.create(webhook, BATCH)
  await userWebhooks.get(webhook.id)
  await userWebhooks.list(user.id)
  await userWebhooks.update(webhook.id, user.id, { failingSince: T0 })
  await userWebhooks.remove(webhook.id, user.id)
}

async function callFactorMethods(db: Knex): Promise<void> {
  const { users, factors } = knexStorage(db)
  const user = aUser()
  const [passkey, authenticator] = [aPasskey({ userId: user.id }), anAuthenticator({ userId: user.id })]
  const added = { recoveryCodes: [aHash()], keepSession: null, now: T0 }
  await users.create(user)
  await factors.addPasskey(passkey, BATCH, added)
  await factors.addAuthenticator(authenticator, added)
  await factors.findPasskey(passkey.credentialId)
  await factors.recordPasskeyUse(passkey.id, { from: 0, counter: 1, backedUp: false, usedAt: T0 })
  await factors.renamePasskey(passkey.id, user.id, 'ü')
  await factors.takeStep(user.id, authenticator.lastStep + 1, T0)
  await factors.list(user.id)
  await factors.takeRecoveryCode(user.id, aHash())
  await factors.replaceRecoveryCodes(user.id, [aHash()])
  await factors.removePasskey(passkey.id, user.id)
  await factors.reset(user.id)
}

async function callDeviceLoginMethods(db: Knex): Promise<void> {
  const { users, deviceLogins } = knexStorage(db)
  const [user, login] = [aUser(), aDeviceLogin()]
  const { hash, userCodeHash } = login
  await users.create(user)
  await deviceLogins.create(login)
  await deviceLogins.findPending(userCodeHash, T0)
  await deviceLogins.decide({ userCodeHash, userId: user.id, epoch: 0, sessionId: null, approve: true }, T0)
  await deviceLogins.find(hash, T0)
  await deviceLogins.claim({ hash, token: aToken({ userId: user.id }), max: 100, events: [] }, T0)
  await deviceLogins.deleteExpired(T0, BATCH)
}

async function callAccountMethods(db: Knex): Promise<void> {
  const { users, sessions, tokens, audit } = knexStorage(db)
  const [user, identity, admin] = [aUser(), anIdentity(), aUser({ role: 'admin' })]
  await users.create(user, { identity, unlessAdmin: true }).catch(() => users.create(user, { identity }))
  await users.create(admin)
  await users.get(user.id)
  await users.findByEmail(user.email)
  await users.findByIdentity(identity)
  await users.link(user.id, anIdentity(), 0)
  await users.listIdentities(user.id)
  await users.unlink({
    userId: user.id,
    provider: 'company',
    others: { providers: [], password: true },
  })
  await users.hasAdmin()
  await users.list({ role: 'admin' }, { skip: 0, take: 10 }, T0)
  await users.update(user.id, { role: 'admin' }, { endSessions: {} })
  await users.update(user.id, { role: 'user' }, { endSessions: { except: '' } })

  const session = aSession({ userId: user.id })
  const next = { tokenHash: aHash(), expiresAt: LATER }
  for (let time = 0; time < 2; time++) await sessions.open(aSession({ userId: user.id }), 1, T0)
  await sessions.open(session, 2, T0)
  await sessions.rotate({ tokenHash: session.tokenHash, next, graceMs: MINUTE, now: T0 })
  for (const hash of [session.tokenHash, next.tokenHash]) await sessions.find(hash, T0)
  await sessions.markSeen(session.id, T0 + 1)
  await sessions.prove(session.id, { level: 2, at: T0 + 1 })
  await sessions.list(user.id, T0)
  await sessions.end(session.id, user.id)
  await sessions.endAll(user.id)
  await sessions.open(aSession({ userId: user.id, expiresAt: T0 }), 2, T0)
  await sessions.deleteExpired(T0, BATCH)

  const token = aToken({ userId: user.id, secretsLeft: 1, expiresAt: T0 + MINUTE })
  await tokens.create({ token, max: 9, now: T0 })
  await tokens.find(token.id, T0)
  await tokens.list(user.id, T0)
  await tokens.markUsed(token.id, T0)
  await tokens.spend(token.id, 1, T0)
  await tokens.refund(token.id, 1)
  await tokens.deleteExpired(T0 + MINUTE, BATCH)
  await tokens.remove(token.id, user.id)

  const page = { skip: 0, take: 10 }
  const filters = [{ action: '7' }, { actor: user.username }, { subject: user.username }, { since: T0, until: LATER }]
  for (const filter of filters) await audit.list(filter, page)
  await audit.deleteBefore(T0 + BATCH * MINUTE, BATCH)
  await audit.append([anAuditEntry()])
  await audit.readChain(1, 10)
  const owned = aSecret({ ownerId: user.id })
  await knexStorage(db).secrets.create({ secret: owned, now: T0 })
  await users.remove(user.id, T0)
}

/** Every authenticated request does this. */
testEachEngine('session and token are found with their user in one query', async (engine) => {
  const { db, drop } = await makeDatabase(engine)
  const { migrate, users, sessions, tokens } = knexStorage(db)
  await migrate()
  const user = aUser()
  const [session, token, next] = [aSession({ userId: user.id }), aToken({ userId: user.id }), aHash()]
  await users.create(user)
  await sessions.open(session, 9, T0)
  await sessions.rotate({
    tokenHash: session.tokenHash,
    next: { tokenHash: next, expiresAt: LATER },
    graceMs: MINUTE,
    now: T0,
  })
  await tokens.create({ token, max: 9, now: T0 })
  const queries: string[] = []
  db.on('query', ({ sql }) => queries.push(sql))
  for (const hash of [session.tokenHash, next]) expect(await sessions.find(hash, T0)).toMatchObject({ user })
  expect(await tokens.find(token.id, T0)).toMatchObject({ user })
  expect(queries).toHaveLength(3)
  await drop()
})

/** Two concurrent calls of each kind, which share statements. */
async function callBatchedMethods(db: Knex): Promise<void> {
  const { secrets } = knexStorage(db, { batchSize: 2 })
  const pair = () => Promise.all([aSecret(), aSecret()].map(stored))
  const stored = async (secret: ReturnType<typeof aSecret>) => {
    await secrets.create({ secret, now: T0, record: { keyHash: aHash(), response: '', expiresAt: T0 + MINUTE } })
    return secret.id
  }
  const [viewed, burned, claim] = [await pair(), await pair(), aHash()]
  await Promise.all(viewed.map((id) => secrets.recordWrongPassword({ id, now: T0, lockMs: MINUTE })))
  await Promise.all(viewed.map((id) => secrets.peek(id, T0)))
  await Promise.all(viewed.map((id) => secrets.view({ id, claimHash: claim, now: T0, graceMs: MINUTE })))
  await Promise.all(viewed.map((id) => secrets.ack(id, claim, T0)))
  await Promise.all(burned.map((id) => secrets.burn({ id, now: T0 })))
}
