/**
 * REL-03. Random sequences of requests against a reference model: every response follows the rules of the API. A
 * failure prints its seed and the shortest sequence. `MAYFLY_TEST_MODEL_RUNS=2000` runs more sequences.
 */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { fileCalls } from '#test/file-calls'
import { forEachStorage, type Site } from '#test/for-each-storage'
import * as model from '#test/secret-model'
import { encryptSecret } from '../shared/crypto/encrypt-secret.js'
import { newClaim } from '../shared/crypto/keys.js'

/** The SQL engines get fewer sequences, because each takes longer there. */
const RUNS = Number(process.env.MAYFLY_TEST_MODEL_RUNS ?? (inject('storages').includes('memory') ? 60 : 20))
const MAX_COMMANDS = 40
const CONTENT = Buffer.from('content of a file ☃')
/** The server does not decrypt, so all secrets may have one ciphertext. */
const TEXT = (await encryptSecret({ text: new TextEncoder().encode('text ☃'), ttl: 60 })).body.text
const proof = () => randomBytes(32).toString('base64url')

/** A secret in the model, with the values of its sender and its readers. */
interface Known {
  state: model.ModelSecret
  id: string
  access: string
  password: string
  burnToken: string
  /** Newest last. */
  claims: string[]
  /** Ticket of the file, by claim. */
  tickets: Map<string, string>
}
interface KnownUpload {
  state: model.ModelUpload
  id: string
  token: string
}
interface Model {
  secrets: Known[]
  uploads: KnownUpload[]
}
type Command = fc.AsyncCommand<Model, Site>

/** A response has the expected status, error code and fields. */
function expectResponse(response: { status: number; body: Record<string, unknown> }, expected: model.Expected): void {
  const { status, code, fields = {} } = expected
  const named = code === undefined ? fields : { ...fields, code }
  expect({ status: response.status, ...pick(response.body, Object.keys(named)) }).toEqual({ status, ...named })
}

const pick = (body: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, body[name]]))

/** One of the existing entries; the number makes a sequence repeatable. */
const choose = <Entry>(entries: Entry[], at: number): Entry => entries[at % entries.length] as Entry

/** A command about one of the secrets. */
const aboutSecret = (name: string, at: number, run: (site: Site, secret: Known) => Promise<void>): Command => ({
  check: ({ secrets }) => secrets.length > 0,
  run: ({ secrets }, site) => run(site, choose(secrets, at)),
  toString: () => `${name}(${at})`,
})

const index = fc.nat({ max: 5 })

const create = fc
  .record({
    ttl: fc.constantFrom(60, 600, 3600, 86_400),
    maxViews: fc.constantFrom(1, 2, 3, null),
    hasPassword: fc.boolean(),
    upload: fc.option(index, { freq: 2 }),
  })
  .map(
    ({ ttl, maxViews, hasPassword, upload: at }): Command => ({
      check: () => true,
      toString: () => `create(ttl ${ttl}, views ${maxViews}, password ${hasPassword}, upload ${at})`,
      async run({ secrets, uploads }, site) {
        const upload = at === null || uploads.length === 0 ? null : choose(uploads, at)
        const now = site.app.clock.now
        const [access, password] = [proof(), proof()]
        const body = {
          text: TEXT,
          ttl,
          access,
          ...(maxViews === null ? { preventBurn: true } : { maxViews }),
          ...(hasPassword && { password }),
          ...(upload && { files: [{ id: upload.id, token: upload.token }] }),
        }
        const response = await site.call('POST', '/secret', {}, body)
        if (upload && !model.canAttach(upload.state, now)) {
          return expectResponse(response, { status: 404, code: 'file.not_found' })
        }
        expectResponse(response, { status: 201, fields: { kind: 'sealed', maxViews } })
        if (upload) upload.state.isAttached = true
        const state = model.newSecret({ viewsLeft: maxViews, hasPassword, hasFile: upload !== null }, now, ttl * 1000)
        const { id, burnToken } = response.body
        secrets.push({ state, id, access, password, burnToken, claims: [], tickets: new Map() })
      },
    }),
  )

/** `retry`: with the last claim instead of a new one. */
const view = fc
  .record({ at: index, retry: fc.boolean(), password: fc.constantFrom('right', 'right', 'wrong', 'none') })
  .map(({ at, retry, password }) =>
    aboutSecret(`${retry ? 'retry' : 'view'}:${password}`, at, async (site, secret) => {
      const claim = (retry && secret.claims.at(-1)) || newClaim()
      const sent = { right: secret.password, wrong: proof(), none: undefined }[password as 'right' | 'wrong' | 'none']
      const expected = model.view(secret.state, { claim, password }, site.app.clock.now)
      const body = { access: secret.access, claim, ...(sent !== undefined && { password: sent }) }
      const response = await site.call('POST', `/secret/${secret.id}`, {}, body)
      expectResponse(response, expected)
      if (response.status !== 200) return
      expect(response.body.text).toBe(TEXT)
      expect(response.body.files).toHaveLength(secret.state.hasFile ? 1 : 0)
      if (!secret.claims.includes(claim)) secret.claims.push(claim)
      if (secret.state.hasFile) secret.tickets.set(claim, response.body.files[0].key)
    }),
  )

/** Wrong passwords in a row, so that sequences reach the lock. */
const guess = fc.record({ at: index, times: fc.constantFrom(3, 10, 10, 11) }).map(({ at, times }) =>
  aboutSecret(`guess ${times} times`, at, async (site, secret) => {
    for (let n = 0; n < times && secret.state.hasPassword; n++) {
      const claim = newClaim()
      const expected = model.view(secret.state, { claim, password: 'wrong' }, site.app.clock.now)
      const body = { access: secret.access, claim, password: proof() }
      expectResponse(await site.call('POST', `/secret/${secret.id}`, {}, body), expected)
    }
  }),
)

/**
 * Wrong passwords as fast as the locks allow: each lock lasts to the millisecond, and twice as long as the one before.
 */
const lockAgain = fc.record({ at: index, locks: fc.constantFrom(2, 3) }).map(({ at, locks }) =>
  aboutSecret(`lock ${locks} times`, at, async (site, secret) => {
    const { state, id, access, password } = secret
    const tryPassword = async (sent: string, kind: 'right' | 'wrong') => {
      const claim = newClaim()
      const expected = model.view(state, { claim, password: kind }, site.app.clock.now)
      expectResponse(await site.call('POST', `/secret/${id}`, {}, { access, claim, password: sent }), expected)
    }
    for (let lock = 0; lock < locks && state.hasPassword; lock++) {
      site.app.clock.now = Math.max(site.app.clock.now, state.lockedUntil)
      for (let tries = 0; tries === 0 || (tries < 10 && state.failures > 0); tries++)
        await tryPassword(proof(), 'wrong')
      if (state.lockedUntil <= site.app.clock.now) return
      await tryPassword(password, 'right')
      site.app.clock.now = state.lockedUntil - 1
      await tryPassword(password, 'right')
    }
  }),
)

/** All requests of a caller without the link: they find and change nothing. */
const withoutLink = index.map((at) =>
  aboutSecret('without link', at, async (site, { id, password }) => {
    const [path, notFound] = [`/secret/${id}`, { status: 404, code: 'secret.not_found' }]
    const access = proof()
    expectResponse(await site.call('POST', path, {}, { access, claim: newClaim(), password }), notFound)
    expectResponse(await site.call('POST', `${path}/burn`, {}, { access }), notFound)
    expectResponse(await site.call('POST', `${path}/burn`, {}, { burnToken: access }), notFound)
    expectResponse(await site.call('GET', `${path}/exist`, { 'Mayfly-Access': access }), notFound)
  }),
)

const peek = index.map((at) =>
  aboutSecret('peek', at, async (site, { id, access, state }) => {
    const response = await site.call('GET', `/secret/${id}/exist`, { 'Mayfly-Access': access })
    expectResponse(response, model.peek(state, site.app.clock.now))
  }),
)

const acknowledge = fc.record({ at: index, which: index }).map(({ at, which }) =>
  aboutSecret('acknowledge', at, async (site, { id, access, state, claims }) => {
    const claim = claims.length > 0 ? choose(claims, which) : newClaim()
    const expected = model.acknowledge(state, claim, site.app.clock.now)
    const response = await site.call('POST', `/secret/${id}/ack`, {}, { access, claim })
    expectResponse(response, expected)
  }),
)

const burn = fc.record({ at: index, by: fc.constantFrom('burnToken', 'access') }).map(({ at, by }) =>
  aboutSecret(`burn by ${by}`, at, async (site, secret) => {
    const credential = { [by]: secret[by as 'burnToken' | 'access'] }
    const expected = model.burnResponse(secret.state, site.app.clock.now)
    const response = await site.call('POST', `/secret/${secret.id}/burn`, {}, credential)
    if (expected) expectResponse(response, expected)
    // After the last view, retries and downloads may still be possible: a burn ends them, or changes nothing.
    else expect([200, 404]).toContain(response.status)
    if (response.status === 200) model.markBurned(secret.state)
  }),
)

const download = fc.record({ at: index, which: index }).map(({ at, which }) =>
  aboutSecret('download', at, async (site, { id, state, claims, tickets }) => {
    const claim = choose(claims, which)
    const key = tickets.get(claim)
    // A claim that was counted twice has a ticket of either view.
    if (key === undefined || state.claims.get(claim)?.counted !== 1) return
    const response = await fileCalls(site).download(key, id, 0)
    const isValid = model.isTicketValid(state, claim, site.app.clock.now)
    expect(response.status).toBe(isValid ? 200 : 404)
    if (isValid) expect(response.bytes).toEqual(CONTENT)
  }),
)

const upload = fc.constant<Command>({
  check: ({ uploads }) => uploads.length < 10,
  toString: () => 'upload',
  async run({ uploads }, site) {
    const begun = await fileCalls(site).upload(CONTENT)
    uploads.push({ ...begun, state: model.newUpload(site.app.clock.now) })
  },
})

const MOMENTS = [1, 30_000, 59_999, 60_000, 600_000, 899_999, 900_000, 900_000, 900_000, 3_600_000]
const wait = fc.constantFrom(...MOMENTS).map(
  (ms): Command => ({
    check: () => true,
    toString: () => `wait(${ms})`,
    run: async (_, site) => void Object.assign(site.app.clock, { now: site.app.clock.now + ms }),
  }),
)

const cleanUp = fc.constant<Command>({
  check: () => true,
  toString: () => 'clean up',
  async run({ secrets }, site) {
    await site.app.background.cleanup.run()
    for (const { state } of secrets) model.cleanUp(state, site.app.clock.now)
  },
})

const commands = fc.commands(
  [
    create,
    create,
    upload,
    view,
    view,
    view,
    guess,
    lockAgain,
    withoutLink,
    peek,
    acknowledge,
    burn,
    download,
    wait,
    cleanUp,
  ],
  { maxCommands: MAX_COMMANDS, size: 'max' },
)

forEachStorage(
  (site) => {
    test(`REL-03, CRY-05: ${RUNS} random sequences of requests get the responses of the model`, async () => {
      await fc.assert(
        fc.asyncProperty(commands, async (sequence) => {
          // Uploads without a secret have ended, so they do not count as open.
          site.app.clock.now += 24 * 3_600_000
          await site.app.background.cleanup.run()
          await fc.asyncModelRun(() => ({ model: { secrets: [], uploads: [] }, real: site }), sequence)
        }),
        { numRuns: RUNS },
      )
    }, 600_000)
  },
  { shared: true },
)
