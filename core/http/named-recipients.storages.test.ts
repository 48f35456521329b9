/** Secrets for named recipients over HTTP: codes by e-mail, and the responses to callers without a code. */
import { beforeEach, expect, test } from 'vitest'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import { recordingNotifier } from '#test/recording-notifier'
import { encryptSecret } from '../shared/crypto/encrypt-secret.js'
import { newClaim } from '../shared/crypto/keys.js'
import { parseReceiptLink } from '../shared/parse-links.js'

const MINUTE = 60_000
const ANNA = 'anna@example.org'
const BOB = 'bob@example.org'
const bytes = new TextEncoder().encode('Schlüssel ☃')

const { notifier, sent, outcomes } = recordingNotifier()
beforeEach(() => void sent.splice(0))

onOneStorage(
  (site) => {
    async function create(more: object = {}, headers: Record<string, string> = {}) {
      const { maxViews: _, ...body } = (await encryptSecret({ text: bytes, ttl: 3600 }, site.app.clock.now)).body
      const draft = { ...body, recipients: [ANNA], ...more }
      const { body: created } = await site.call('POST', '/secret', headers, draft).expect(201)
      return { path: `/secret/${created.id}`, access: body.access ?? '', created }
    }
    type Created = Awaited<ReturnType<typeof create>>

    const request = ({ path, access }: Created, email: string) =>
      site.call('POST', `${path}/code`, { 'Accept-Language': 'pt-br' }, { access, email })

    /** Waits for `expected` codes: their events are stored after the responses. */
    async function deliver(expected = 1): Promise<{ code: string; to: string }[]> {
      const codes = () =>
        sent.flatMap((each) =>
          each.type === 'secret-code' ? [{ code: each.data.code, to: each.recipient.address }] : [],
        )
      const run = async () => {
        await site.app.background.delivery.run()
        return codes().length
      }
      await expect.poll(run).toBeGreaterThanOrEqual(expected)
      const delivered = codes()
      sent.splice(0)
      return delivered
    }

    async function codeFor(created: Created, email: string): Promise<string> {
      await request(created, email).expect(204)
      const [mail] = await deliver()
      return mail?.code ?? ''
    }

    const view = ({ path, access }: Created, code?: string, claim = newClaim()) =>
      site.call('POST', path, {}, { access, claim, ...(code !== undefined && { code }) })

    const viewsOf = async ({ path, access }: Created) =>
      (await site.call('GET', `${path}/exist`, { 'Mayfly-Access': access })).body

    test('SEC-56: a secret opens with the link and the mailed code, and records which recipient opened it', async () => {
      const user = await site.app.signUp({ emailVerified: 1 })
      const created = await create({ recipients: [BOB, ANNA.toUpperCase()], receipt: true }, await site.app.as(user))
      expect(created.created.maxViews).toBe(2)
      expect(await viewsOf(created)).toMatchObject({ codeRequired: true, passwordRequired: false, maxViews: 2 })
      expect((await view(created).expect(401)).body).toMatchObject({ code: 'secret.code_required', attemptsLeft: 10 })
      await request(created, 'Anna@Example.org').expect(204)
      await expect
        .poll(async () => {
          await site.app.background.delivery.run()
          return sent
        })
        .toMatchObject([
          {
            type: 'secret-code',
            data: { code: expect.stringMatching(/^\d{8}$/), minutes: 10, sender: user.username },
            recipient: { address: ANNA, username: '', language: 'pt-BR' },
            unsubscribeUrl: null,
          },
        ])
      const [mail] = await deliver()
      await view(created, mail?.code).expect(200)
      expect(await viewsOf(created)).toMatchObject({ maxViews: 1 })
      const { token } = parseReceiptLink(created.created.receipt)
      const receipt = (await site.call('GET', '/receipt', { 'Mayfly-Access': token }).expect(200)).body
      expect(receipt).toMatchObject({ views: 1, viewList: [{ recipient: 2, network: null }] })
    })

    test('SEC-56: only the list of the sender shows which recipients opened a secret', async () => {
      const owner = await site.app.signUp({ emailVerified: 1 })
      const headers = await site.app.as(owner)
      const other = await site.app.as(await site.app.signUp())
      const created = await create({ recipients: [BOB, ANNA], maxViews: 3 }, headers)
      const open = await create({ recipients: undefined }, headers)
      const list = async (of: Record<string, string>) => {
        const { body } = await site.call('GET', '/secret', of).expect(200)
        type Listed = { id: string; recipientViews: number[] }
        return Object.fromEntries(body.map(({ id, recipientViews }: Listed) => [id, recipientViews]))
      }
      expect(await list(headers)).toEqual({ [created.created.id]: [0, 0], [open.created.id]: [] })
      await view(created, await codeFor(created, ANNA)).expect(200)
      expect((await list(headers))[created.created.id]).toEqual([0, 1])
      expect(await list(other)).toEqual({})
      const { body } = await site.call('GET', `${created.path}/exist`, { 'Mayfly-Access': created.access })
      expect(body).not.toHaveProperty('recipientViews')
    })

    test('SEC-56: a request for an address that is not a recipient gets the same response and sends nothing', async () => {
      const created = await create()
      const [right, wrong] = [await request(created, ANNA), await request(created, BOB)]
      expect([right.status, right.text]).toEqual([204, ''])
      const withoutIds = ({ date: _, 'x-request-id': __, ...headers }: Record<string, string>) => headers
      expect(withoutIds(wrong.headers)).toEqual(withoutIds(right.headers))
      expect(wrong.text).toBe(right.text)
      expect(await deliver()).toMatchObject([{ to: ANNA }])
      await site.app.background.delivery.run()
      expect(sent).toEqual([])
    })

    test('SEC-56: a caller without the link learns nothing about codes, gets no code, and does not move the lock', async () => {
      const created = await create()
      const stranger = { ...created, access: (await create()).access }
      expect(await viewsOf(stranger)).toMatchObject({ code: 'secret.not_found' })
      expect((await request(stranger, ANNA).expect(404)).body.code).toBe('secret.not_found')
      for (let n = 0; n < 12; n++) await view(stranger, '00000000').expect(404)
      await view(created, await codeFor(created, ANNA)).expect(200)
    })

    test('SEC-56: a forwarded link without the mailbox locks after ten wrong codes, and spends no view', async () => {
      const created = await create()
      const code = await codeFor(created, ANNA)
      const wrong = code === '00000000' ? '00000001' : '00000000'
      const left = []
      for (let n = 0; n < 10; n++) left.push((await view(created, wrong).expect(401)).body)
      expect(left.map(({ code, attemptsLeft }) => [code, attemptsLeft])).toEqual(
        Array.from({ length: 10 }, (_, n) => ['secret.code_wrong', 9 - n]),
      )
      expect((await view(created, code).expect(423)).body.code).toBe('secret.locked')
      site.app.clock.now += 15 * MINUTE
      expect(await viewsOf(created)).toMatchObject({ maxViews: 1 })
      expect((await view(created, code).expect(401)).body.code).toBe('secret.code_wrong')
      await view(created, await codeFor(created, ANNA)).expect(200)
    })

    test('a code works once, for ten minutes, for its secret; a retry with the same claim works without a code', async () => {
      const [first, second] = [await create({ maxViews: 3 }), await create()]
      const late = await codeFor(first, ANNA)
      site.app.clock.now += 10 * MINUTE
      expect((await view(first, late).expect(401)).body.code).toBe('secret.code_wrong')
      const code = await codeFor(first, ANNA)
      expect((await view(second, code).expect(401)).body.code).toBe('secret.code_wrong')
      const claim = newClaim()
      const opened = await view(first, code, claim).expect(200)
      expect((await view(first, undefined, claim).expect(200)).body.text).toBe(opened.body.text)
      expect((await view(first, code).expect(401)).body.code).toBe('secret.code_wrong')
      expect(await viewsOf(first)).toMatchObject({ maxViews: 2 })
    })

    test('a password and a code are both required', async () => {
      const created = await create({ password: 'A'.repeat(43) })
      const code = await codeFor(created, ANNA)
      expect((await view(created, code).expect(401)).body.code).toBe('secret.password_required')
      const body = { access: created.access, claim: newClaim(), password: 'A'.repeat(43) }
      expect((await site.call('POST', created.path, {}, body).expect(401)).body.code).toBe('secret.code_required')
      await site.call('POST', created.path, {}, { ...body, code }).expect(200)
    })

    test('a raw secret has named recipients too, also for GET; a public one is refused', async () => {
      const draft = { text: 'tëxt', ttl: 3600, recipients: [ANNA] }
      const { id } = (await site.call('POST', '/secret', {}, draft).expect(201)).body
      const raw = { path: `/secret/${id}`, access: '' } as Created
      expect((await site.call('GET', raw.path).expect(401)).body.code).toBe('secret.code_required')
      await site.call('POST', `${raw.path}/code`, {}, { email: ANNA }).expect(204)
      const [mail] = await deliver()
      const { body } = await site.call('POST', raw.path, {}, { claim: newClaim(), code: mail?.code }).expect(200)
      expect(body.text).toBe('tëxt')
      const refused = await site.call('POST', '/secret', {}, { ...draft, isPublic: true }).expect(400)
      expect(refused.body.field).toBe('recipients')
    })

    test.each([
      [[]],
      [['anna']],
      [Array.from({ length: 11 }, (_, n) => `r${n}@example.org`)],
      [[ANNA, ANNA.toUpperCase()]],
    ])('recipients %j are refused with their field', async (recipients) => {
      const { body } = await encryptSecret({ text: bytes, ttl: 3600 }, site.app.clock.now)
      const refused = await site.call('POST', '/secret', {}, { ...body, recipients }).expect(400)
      expect(refused.body.field).toMatch(/^recipients/)
    })

    test('SEC-56: no table contains an address or a code, before and after the message', async () => {
      const created = await create({ recipients: [ANNA, BOB] }, { 'Idempotency-Key': 'key' })
      await request(created, ANNA).expect(204)
      const waiting = await dump()
      const [mail] = await deliver()
      const dumped = [waiting, await dump()].join()
      expect(dumped).toContain(created.created.id)
      expect(dumped).not.toMatch(/anna@|bob@/i)
      expect(dumped).not.toContain(mail?.code)
      expect(site.app.logged.join()).not.toMatch(/anna@|bob@/i)
    })

    test('SEC-56: a request for a code leaves the outbox when it is delivered, or after ten minutes', async () => {
      const { outbox } = site.app.storage
      const waiting = () => outbox.list({ type: 'secret.code_requested' }, { skip: 0, take: 9 })
      const encrypted = async () => {
        await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0)
        return JSON.parse((await waiting())[0]?.data ?? '').address
      }
      const later = { isDelivered: false, result: 'later' }
      const created = await create({ recipients: [ANNA, BOB] })
      outcomes.push(later)
      await request(created, ANNA).expect(204)
      const address = await encrypted()
      expect(await dump()).toContain(address)
      const attempt = async () => {
        site.app.clock.now += 10_000
        await site.app.background.delivery.run()
        return waiting()
      }
      await expect.poll(attempt).toEqual([])
      expect(await dump()).not.toContain(address)

      outcomes.push(...Array.from({ length: 50 }, () => later))
      await request(created, BOB).expect(204)
      const late = await encrypted()
      site.app.clock.now += 10 * MINUTE
      await site.app.background.cleanup.run()
      expect(await dump()).toContain(late)
      site.app.clock.now += 1
      await site.app.background.cleanup.run()
      expect(await waiting()).toEqual([])
      expect(await dump()).not.toContain(late)
      outcomes.splice(0)
      sent.splice(0)
    })

    test.each([
      ['ten minutes after its request', 3600, 10 * MINUTE + 1],
      ['for an expired secret', 60, MINUTE],
    ])('SEC-56: a code that could not be sent is not sent %s', async (_, ttl, passed) => {
      const created = await create({ ttl })
      outcomes.push({ isDelivered: false, result: 'later' })
      await request(created, ANNA).expect(204)
      await deliver()
      site.app.clock.now += passed
      await site.app.background.delivery.run()
      const waiting = await site.app.storage.outbox.list({ type: 'secret.code_requested' }, { skip: 0, take: 9 })
      expect([sent, waiting]).toEqual([[], []])
    })

    test('a message names its sender only if the address of the account is confirmed', async () => {
      const unconfirmed = await site.app.signUp()
      await request(await create({}, await site.app.as(unconfirmed)), ANNA).expect(204)
      const senders = async () => {
        await site.app.background.delivery.run()
        return sent.map(({ data }) => ('sender' in data ? data.sender : undefined))
      }
      await expect.poll(senders).toEqual([null])
    })

    test('SEC-56: a refused message stays in the delivery log without the address, and cannot be sent again', async () => {
      const { outbox } = site.app.storage
      const created = await create()
      outcomes.push({ isDelivered: false, isPermanent: true, result: 'refused' })
      await request(created, ANNA).expect(204)
      const list = async () => {
        await site.app.background.delivery.run()
        return outbox.list({ type: 'secret.code_requested' }, { skip: 0, take: 9 })
      }
      await expect.poll(async () => (await list())[0]?.state).toBe('dead')
      const [dead] = await list()
      expect(JSON.parse(dead?.data ?? '')).toEqual({
        secretId: created.created.id,
        ownerId: null,
        recipient: 1,
        address: '',
        language: null,
      })
      await outbox.redeliver({ id: dead?.id ?? '' }, site.app.clock.now)
      expect(await list()).toEqual([])
      expect(sent.splice(0)).toHaveLength(1)
    })

    /** All rows of all tables, as text. */
    async function dump(): Promise<string> {
      const { rows } = site.app.storage
      if (!rows) throw new Error('no rows')
      const all = await Promise.all(rows.tables.map(({ name }) => rows.read(name, null, 1000)))
      return JSON.stringify(all)
    }
  },
  { app: { plugins: [notifier] } },
)

onOneStorage(
  (site) => {
    test('SEC-56: messages to one address are limited, and the response is the same when the limit is reached', async () => {
      const create = async () => {
        const { body } = await encryptSecret({ text: bytes, ttl: 3600 }, site.app.clock.now)
        const { id } = (await site.call('POST', '/secret', {}, { ...body, recipients: [ANNA] }).expect(201)).body
        return { path: `/secret/${id}/code`, access: body.access }
      }
      const from = (n: number) => ({ 'X-Forwarded-For': `198.51.100.${n}` })
      const run = async () => {
        await site.app.background.delivery.run()
        return sent.length
      }
      const { path, access } = await create()
      for (let n = 0; n < 8; n++) await site.call('POST', path, from(n), { access, email: ANNA }).expect(204)
      await expect.poll(run).toBe(5)
      const other = await create()
      for (let n = 0; n < 5; n++)
        await site.call('POST', other.path, from(n), { access: other.access, email: ANNA }).expect(204)
      // Ten requests an hour, for all secrets together.
      await expect.poll(run).toBe(7)
      for (let n = 0; n < 10; n++) await site.call('POST', path, from(99), { access, email: BOB }).expect(204)
      await site.call('POST', path, from(99), { access, email: BOB }).expect(429)
      expect(await run()).toBe(7)
    })
  },
  { app: { plugins: [notifier], settings: { limits: '', trustedProxies: ['127.0.0.1'] } } },
)

onOneStorage((site) => {
  test('an instance without e-mail refuses recipients with its own error code', async () => {
    const draft = { text: 'tëxt', ttl: 3600, recipients: [ANNA] }
    const { body } = await site.call('POST', '/secret', OWN_PAGE, draft).expect(400)
    expect(body).toMatchObject({ code: 'mail.unavailable', field: 'recipients' })
  })
})
