/** Webhooks of single users over HTTP: management, delivery, and refused requests of other users. */

import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { delayedPost } from '#test/delayed-request'
import { anOutsider } from '#test/fake-auth'
import { onOneStorage, type Site } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'
import { resolveIdentity } from '../auth/resolve-identity.js'
import { anonymous, scopesOf } from '../contracts/auth-context.js'
import type { SecretMeta } from '../contracts/storage.js'
import type { Scope } from '../contracts/tokens.js'
import { createEvents } from '../events/durable-events.js'
import { EVENTS_PER_MINUTE, toSubscriber, WAITING_MAX } from '../events/user-webhook-index.js'
import { definePlugin, type Plugin } from '../plugins/plugin.js'
import type { CreateToken } from '../shared/api/index.js'
import { newClaim } from '../shared/crypto/keys.js'
import { anEvent } from '../testing/lib/fixtures.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const URL_OF = (name: string) => `https://${name}.example.org/hook?key=ü`

interface Sent {
  url: string
  secrets: string[]
  type: string
  data: Record<string, unknown>
}

/** Hosts of receivers that fail. */
const broken = new Set<string>()
let sent: Sent[] = []
beforeEach(() => {
  broken.clear()
  sent = []
})

/** Sends nothing, and stores its messages. */
const sender = definePlugin({
  contract: 1,
  name: 'test-sender',
  options: z.object({}),
  setup: () => ({
    channels: [
      {
        name: 'user-webhooks',
        to: 'user',
        address: 'webhook',
        maxPerUser: 2,
        isUrlAllowed: (url) => !url.includes('//10.'),
        async deliver({ url, secrets, event: { type, data } }) {
          if (broken.has(new URL(url).host)) return { isDelivered: false, result: 'HTTP 503' }
          sent.push({ url, secrets, type, data: { ...data } })
          return { isDelivered: true, result: 'HTTP 204' }
        },
      },
    ],
  }),
}) as Plugin

async function inSession({ app, call }: Site, user: TestUser) {
  const headers = await app.as(user)
  const at = (id: string, action = '') => `/account/webhooks/${id}${action}`
  return {
    headers,
    create: (body: object) => call('POST', '/account/webhooks', headers, { name: 'Empfänger ☃', ...body }),
    list: async () => (await call('GET', '/account/webhooks', headers).expect(200)).body,
    update: (id: string, body: object) => call('PUT', at(id), headers, body),
    remove: (id: string) => call('DELETE', at(id), headers),
    rotate: (id: string) => call('POST', at(id, '/secret'), headers),
    ping: (id: string) => call('POST', at(id, '/ping'), headers),
    deliveries: (id: string, query = '') => call('GET', at(id, `/deliveries${query}`), headers),
    redeliver: (id: string, delivery: string) => call('POST', at(id, `/deliveries/${delivery}/redelivery`), headers),
    share: (differing: object = {}) =>
      call('POST', '/secret', headers, { text: 'geheim ☃', ttl: 3600, ...differing }).expect(201),
  }
}

onOneStorage(
  (site) => {
    const signIn = async (differing?: Partial<TestUser>) => {
      const user = await site.app.signUp(differing)
      return { user, ...(await inSession(site, user)) }
    }
    const deliver = () => site.app.background.delivery.run()
    /**
     * Lets receivers fail, because the server also delivers by itself. Returns a function that delivers their waiting
     * events.
     */
    const keepWaiting = (...names: string[]) => {
      for (const name of names) broken.add(new URL(URL_OF(name)).host)
      return async () => {
        broken.clear()
        site.app.clock.now += 60 * MINUTE
        await deliver()
      }
    }

    test('an account that is handed over to an external identity loses its webhooks, and stores no events for them', async () => {
      const { user, create } = await signIn()
      await create({ url: URL_OF('a') }).expect(201)
      const identity = anOutsider({ email: user.email })
      const provider = { id: 'company', signUp: true, linkByEmail: true }
      await resolveIdentity(site.app, provider, identity, anonymous('203.0.113.9'))
      const owner = await inSession(site, user)
      expect(await owner.list()).toEqual([])
      await owner.share()
      expect(await site.app.storage.outbox.list({}, { skip: 0, take: 9 })).toEqual([])
    })

    test('a request that began before all sessions ended does not create a webhook after it', async () => {
      const { user, headers } = await signIn()
      site.app.clock.now += 5 * MINUTE
      const { sessions, userWebhooks } = site.app.storage
      const listSeen = async () => (await sessions.list(user.id, site.app.clock.now)).map(({ seenAt }) => seenAt)
      const { finish } = await delayedPost(site.port, '/account/webhooks', headers, {
        name: 'Empfänger ☃',
        url: URL_OF('a'),
      })
      // The session was identified.
      await expect.poll(listSeen).toEqual([site.app.clock.now])
      await sessions.endAll(user.id)
      expect(await finish()).toMatchObject({ status: 401, body: { code: 'auth.required' } })
      expect(await userWebhooks.list(user.id)).toEqual([])
    })

    test('SEC-46: the signing secret is in one response only, and neither storage, log nor audit log contain it', async () => {
      const { user, create, list } = await signIn()
      const { body } = await create({ url: URL_OF('a'), events: ['secret.viewed', 'secret.viewed'] }).expect(201)
      const { secret, ...rest } = body
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(rest).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name: 'Empfänger ☃',
        url: URL_OF('a'),
        events: ['secret.viewed'],
        createdAt: site.app.clock.now,
        state: 'working',
        failingSince: null,
        previousSecretUntil: null,
      })
      expect(await list()).toEqual([rest])
      const stored = JSON.stringify(await site.app.storage.userWebhooks.list(user.id))
      await site.app.audit.flush()
      const audited = JSON.stringify(await site.app.storage.audit.list({}, { skip: 0, take: 50 }))
      expect(audited).toContain('webhook.created')
      for (const text of [stored, audited, site.app.logged.join()]) {
        expect(text).not.toContain(secret.slice(6))
        expect(text).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('base64url'))
      }
      expect(audited + site.app.logged.join()).not.toContain('hook?key')
    })

    test.each([
      ['url', { url: 'http://a.example.org' }],
      ['url', { url: 'https://user:pass@a.example.org' }],
      ['url', { url: 'https://a.example.org/#x' }],
      ['url', { url: 'https://10.0.0.1/' }],
      ['url', { url: `https://a.example.org/${'x'.repeat(2000)}` }],
      ['url', { url: 'x' }],
      ['events.0', { url: URL_OF('a'), events: ['user.created'] }],
      ['events.1', { url: URL_OF('a'), events: ['secret.viewed', 'ping'] }],
      ['name', { url: URL_OF('a'), name: '' }],
      ['name', { url: URL_OF('a'), name: 'x'.repeat(65) }],
      ['secret', { url: URL_OF('a'), secret: 'whsec_x' }],
    ])('create refuses an invalid %s: %j', async (field, body) => {
      const { create } = await signIn()
      expect((await create(body).expect(400)).body).toMatchObject({ code: 'request.invalid', field })
    })

    test('a user has up to the maximum of webhooks', async () => {
      const { create, remove } = await signIn()
      const first = (await create({ url: URL_OF('a') }).expect(201)).body
      await create({ url: URL_OF('b') }).expect(201)
      expect((await create({ url: URL_OF('c') }).expect(409)).body.code).toBe('webhook.limit_reached')
      await remove(first.id).expect(204)
      await create({ url: URL_OF('c') }).expect(201)
    })

    test('SEC-46: a webhook gets the selected events of its owner, and never events of another user or a visitor', async () => {
      const [alice, bob] = [await signIn(), await signIn()]
      await alice.create({ url: URL_OF('all') }).expect(201)
      await alice.create({ url: URL_OF('views'), events: ['secret.viewed'] }).expect(201)
      await bob.create({ url: URL_OF('bob') }).expect(201)
      const { id } = (await alice.share()).body
      await call('POST', `/secret/${id}`, {}, { claim: newClaim() })
      await call('POST', '/secret', {}, { text: 'eines Gastes ☃', ttl: 60 })
      for (let second = 0; second < 3; second++) await deliver()
      const typesAt = (name: string) => sent.filter(({ url }) => url === URL_OF(name)).map(({ type }) => type)
      expect(typesAt('all')).toEqual(['secret.created', 'secret.viewed', 'secret.burned'])
      expect(typesAt('views')).toEqual(['secret.viewed'])
      expect(typesAt('bob')).toEqual([])
      expect(sent.every(({ data }) => data.ownerId === alice.user.id)).toBe(true)
    })

    const call: Site['call'] = (...args) => site.call(...args)

    test('wrong passwords and refused addresses reach the owner', async () => {
      const { create, share } = await signIn()
      await create({ url: URL_OF('a'), events: ['secret.password_wrong', 'secret.address_refused'] }).expect(201)
      const { id } = (await share({ password: 'pässwort' })).body
      await call('POST', `/secret/${id}`, {}, { password: 'falsch', claim: newClaim() }).expect(401)
      const elsewhere = (await share({ allowedIp: '192.0.2.9' })).body
      await call('POST', `/secret/${elsewhere.id}`, {}, { claim: newClaim() }).expect(404)
      await expect
        .poll(async () => {
          await deliver()
          return sent.map(({ type }) => type).sort()
        })
        .toEqual(['secret.address_refused', 'secret.password_wrong'])
    })

    test('rotate: both secrets sign for a day, then the new one only', async () => {
      const { create, rotate, ping, list } = await signIn()
      const { id, secret } = (await create({ url: URL_OF('a') }).expect(201)).body
      const rotated = (await rotate(id).expect(200)).body
      expect(rotated.secret).toMatch(/^whsec_/)
      expect(rotated).toMatchObject({ id, previousSecretUntil: site.app.clock.now + DAY })
      expect((await ping(id).expect(200)).body).toEqual({ delivered: true, result: 'HTTP 204' })
      site.app.clock.now += DAY
      await ping(id).expect(200)
      expect(sent.map(({ secrets }) => secrets)).toEqual([[rotated.secret, secret], [rotated.secret]])
      expect(await list()).toMatchObject([{ previousSecretUntil: null }])
    })

    test('update changes name, url and events from the next event on', async () => {
      const { create, update, share, list } = await signIn()
      const { id } = (await create({ url: URL_OF('a') }).expect(201)).body
      const changed = { name: 'Neu ☃', url: URL_OF('b'), events: ['secret.viewed'] }
      expect((await update(id, changed).expect(200)).body).toMatchObject(changed)
      expect((await update(id, { url: 'https://10.1.1.1' }).expect(400)).body.field).toBe('url')
      expect(await list()).toMatchObject([changed])
      await share()
      await deliver()
      expect(sent).toEqual([])
    })

    test('SEC-46: every request for a webhook of another user, or an unknown one, gets the same 404', async () => {
      const [alice, bob] = [await signIn(), await signIn()]
      const { id } = (await alice.create({ url: URL_OF('a') }).expect(201)).body
      await alice.share()
      await deliver()
      const [delivery] = (await alice.deliveries(id).expect(200)).body
      for (const asked of [id, 'f'.repeat(32), 'x']) {
        const refused = [
          bob.update(asked, { name: 'x' }),
          bob.remove(asked),
          bob.rotate(asked),
          bob.ping(asked),
          bob.deliveries(asked),
          bob.redeliver(asked, delivery.id),
        ]
        for (const response of await Promise.all(refused)) {
          expect([response.status, response.body.code]).toEqual([404, 'webhook.not_found'])
        }
      }
      const own = (await bob.create({ url: URL_OF('b') }).expect(201)).body
      const { body } = await bob.redeliver(own.id, delivery.id).expect(404)
      expect(body.code).toBe('webhook.delivery_not_found')
      expect(await alice.list()).toHaveLength(1)
      expect(await bob.list()).toHaveLength(1)
    })

    test('the delivery log has pages, and an event can be delivered again', async () => {
      const { create, share, deliveries, redeliver } = await signIn()
      const { id } = (await create({ url: URL_OF('a'), events: ['secret.created'] }).expect(201)).body
      for (let count = 0; count < 3; count++) await share()
      await deliver()
      const [newest] = (await deliveries(id, '?skip=0&take=1').expect(200)).body
      expect(newest).toEqual({
        id: expect.stringMatching(/^evt_/),
        type: 'secret.created',
        subject: expect.stringMatching(/^secret:/),
        state: 'delivered',
        attempts: 1,
        result: 'HTTP 204',
        nextAt: null,
        createdAt: site.app.clock.now,
        endedAt: site.app.clock.now,
      })
      expect((await deliveries(id, '?skip=1&take=5').expect(200)).body).toHaveLength(2)
      await redeliver(id, newest.id).expect(204)
      await deliver()
      expect(sent).toHaveLength(4)
    })

    test('a receiver that fails for three days is shown as failed, delays no other user, and recovers', async () => {
      const [alice, bob] = [await signIn(), await signIn()]
      const { id } = (await alice.create({ url: URL_OF('down') }).expect(201)).body
      await bob.create({ url: URL_OF('up') }).expect(201)
      broken.add('down.example.org')
      for (let count = 0; count < 20; count++) await alice.share()
      await bob.share()
      await deliver()
      expect(sent.map(({ url }) => url)).toEqual([URL_OF('up')])
      expect(await alice.list()).toMatchObject([{ state: 'failing', failingSince: site.app.clock.now }])
      site.app.clock.now += 3 * DAY
      expect(await alice.list()).toMatchObject([{ state: 'failed' }])
      expect((await alice.ping(id).expect(200)).body).toEqual({ delivered: false, result: 'HTTP 503' })
      broken.clear()
      expect((await alice.ping(id).expect(200)).body).toMatchObject({ delivered: true })
      expect(await alice.list()).toMatchObject([{ state: 'working', failingSince: null }])
    })

    test('a webhook gets eight events a second', async () => {
      const { create, share } = await signIn()
      await create({ url: URL_OF('a'), events: ['secret.created'] }).expect(201)
      const deliverLater = keepWaiting('a')
      for (let count = 0; count < 20; count++) await share()
      await deliverLater()
      // The server was looking for events at the same moment, when none was due.
      if (sent.length === 0) await deliver()
      expect(sent).toHaveLength(8)
      await expect.poll(() => deliver().then(() => sent.length)).toBe(20)
    })

    test('a deleted webhook and a deleted account get no events, and their waiting events are deleted', async () => {
      const [alice, bob] = [await signIn(), await signIn()]
      const { id } = (await alice.create({ url: URL_OF('a') }).expect(201)).body
      await bob.create({ url: URL_OF('b') }).expect(201)
      const deliverLater = keepWaiting('a', 'b')
      await alice.share()
      await bob.share()
      await alice.remove(id).expect(204)
      await call('POST', '/account/delete', bob.headers, { password: bob.user.password }).expect(200)
      await deliverLater()
      expect(sent).toEqual([])
      const list = () => site.app.storage.outbox.list({}, { skip: 0, take: 10 })
      expect(await list()).toEqual([])
      // An event of a process that does not know of the deletion yet.
      await site.app.storage.outbox.append([anEvent({ subscriber: toSubscriber(id) })])
      expect(await list()).toHaveLength(1)
      await site.app.background.cleanup.run()
      expect(await list()).toEqual([])
    })

    test('webhooks of users who cannot sign in get no events', async () => {
      const [admin, alice] = [await signIn({ role: 'admin' }), await signIn()]
      for (const each of [admin, alice]) await each.create({ url: URL_OF(each.user.username) }).expect(201)
      const deliverLater = keepWaiting(alice.user.username, admin.user.username)
      await alice.share()
      await admin.share()
      await site.app.settings.update({ disable_users: true }, { username: '(test)', address: null })
      await deliverLater()
      expect(sent.map(({ data }) => data.ownerId)).toEqual([admin.user.id])
      const [event] = await site.app.storage.outbox.list({ state: 'dead' }, { skip: 0, take: 10 })
      expect(event).toMatchObject({ result: 'account disabled' })
    })

    test('events of a webhook that is full, or got too many in a minute, are dead, up to a bound', async () => {
      const { user, create } = await signIn()
      const { id } = (await create({ url: URL_OF('a') }).expect(201)).body
      const data = { secretId: 'ü ☃', ownerId: user.id, attemptsLeft: 1 }
      const make = () => createEvents(site.app, [{ name: 'secret.password_wrong', data }])
      const made = Array.from({ length: EVENTS_PER_MINUTE }, make).flat()
      expect(made.filter(({ isQueueFull }) => isQueueFull)).toEqual([])
      expect(Array.from({ length: 99 }, make).flat()).toEqual(
        Array(12).fill(expect.objectContaining({ subscriber: `user:${id}`, isQueueFull: true })),
      )
      site.app.clock.now += MINUTE
      expect(make()).toMatchObject([{ subscriber: `user:${id}` }])
      const waiting = Array.from({ length: WAITING_MAX }, () => made[0])
      await site.app.storage.outbox.append(
        waiting.map((event, at) => ({ ...event, id: `evt_${at}` }) as (typeof made)[number]),
      )
      await site.app.webhooks.reload()
      site.app.clock.now += MINUTE
      expect(make()).toMatchObject([{ isQueueFull: true }])
    })

    test('an event that found the queue full is in the delivery log, and can be delivered again', async () => {
      const { user, create, deliveries, redeliver } = await signIn()
      const { id } = (await create({ url: URL_OF('a') }).expect(201)).body
      const data = { secretId: 'ü ☃', ownerId: user.id, attemptsLeft: 1 }
      const make = () => createEvents(site.app, [{ name: 'secret.password_wrong', data }])
      for (let count = 0; count < EVENTS_PER_MINUTE; count++) make()
      await site.app.storage.outbox.append(make())
      await deliver()
      expect(sent).toEqual([])
      const [delivery] = (await deliveries(id).expect(200)).body
      expect(delivery).toMatchObject({ state: 'dead', result: 'queue full', attempts: 0, nextAt: null })
      await redeliver(id, delivery.id).expect(204)
      // Many events: deliveries wait.
      site.app.clock.now += MINUTE
      await deliver()
      expect(sent.map(({ type }) => type)).toEqual(['secret.password_wrong'])
    })

    test('a secret of a user without webhooks does not query their stores, and stores no events', async () => {
      const [alice, bob] = [await signIn(), await signIn()]
      await alice.create({ url: URL_OF('a') }).expect(201)
      const { userWebhooks, outbox, secrets } = site.app.storage
      const calls: string[] = []
      const watch = (name: string, store: object | undefined) => {
        for (const [method, run] of Object.entries(store ?? {})) {
          const record = (...args: unknown[]) => {
            calls.push(`${name}.${method}`)
            return run(...args)
          }
          Object.assign(store as object, { [method]: record })
        }
      }
      const stored: unknown[] = []
      const { create, view } = secrets
      secrets.create = (input) => {
        stored.push(...(input.events ?? []))
        return create(input)
      }
      secrets.view = (input) => {
        const toEvents = (secret: SecretMeta, recipient: number | null) => {
          const events = input.toEvents?.(secret, recipient) ?? []
          stored.push(...events)
          return events
        }
        return view({ ...input, toEvents })
      }
      watch('userWebhooks', userWebhooks)
      watch('outbox', outbox)
      const { id } = (await bob.share()).body
      await call('POST', `/secret/${id}`, {}, { claim: newClaim() }).expect(200)
      // Timers call these methods.
      const periodic = ['userWebhooks.listDue', 'userWebhooks.listTargets', 'outbox.list']
      expect(calls.filter((name) => !periodic.includes(name))).toEqual([])
      expect(stored).toEqual([])
      const other = (await alice.share()).body
      await call('POST', `/secret/${other.id}`, {}, { claim: newClaim() }).expect(200)
      expect(stored).toHaveLength(3)
    })

    test('notify on create needs a webhook for its events, where no plugin notifies', async () => {
      const { create, headers } = await signIn()
      const asked = { text: 'geheim ☃', ttl: 60, notify: true }
      const canNotify = async (as: Record<string, string> = headers) =>
        (await call('GET', '/settings', as).expect(200)).body.canNotify
      expect((await call('POST', '/secret', headers, asked).expect(400)).body.field).toBe('notify')
      await create({ url: URL_OF('a'), events: ['secret.created'] }).expect(201)
      expect(await canNotify()).toBe(false)
      await create({ url: URL_OF('b'), events: ['secret.viewed'] }).expect(201)
      expect([await canNotify(), await canNotify({})]).toEqual([true, false])
      const { id } = (await call('POST', '/secret', headers, asked).expect(201)).body
      await call('POST', `/secret/${id}`, {}, { claim: newClaim() }).expect(200)
      await deliver()
      // The webhooks get their events in any order.
      expect(sent.filter(({ type }) => type === 'secret.viewed')).toMatchObject([{ data: { notify: true } }])
    })

    test('waiting events survive a restart', async () => {
      // A storage in memory does not survive a restart.
      if (!site.app.storage.rows) return
      const { create, share } = await signIn()
      broken.add('a.example.org')
      await create({ url: URL_OF('a'), events: ['secret.created'] }).expect(201)
      await share()
      await deliver()
      await site.restart({ plugins: [sender], now: site.app.clock.now })
      broken.clear()
      site.app.clock.now += MINUTE
      await deliver()
      expect(sent).toMatchObject([{ type: 'secret.created' }])
    })

    test('an API token reads, creates, changes, tests and deletes webhooks only with the scope `account`', async () => {
      const { user, create } = await signIn({ role: 'admin' })
      const { id, secret } = (await create({ url: URL_OF('a') }).expect(201)).body
      const webhook = (await site.app.storage.userWebhooks.list(user.id))[0]
      const actions = async (scope: Scope) => {
        const headers = { Authorization: `Bearer ${await site.app.tokenOf(user, { scopes: [scope] })}` }
        const at = `/account/webhooks/${id}`
        return [
          await call('GET', '/account/webhooks', headers),
          await call('GET', `${at}/deliveries`, headers),
          await call('POST', '/account/webhooks', headers, { name: 'ci \u2603', url: URL_OF('b') }),
          await call('PUT', at, headers, { name: 'neu \u2603' }),
          await call('POST', `${at}/secret`, headers),
          await call('POST', `${at}/ping`, headers),
          await call('POST', `${at}/deliveries/${'0'.repeat(26)}/redelivery`, headers),
          await call('DELETE', at, headers),
        ]
      }
      for (const scope of scopesOf('admin').filter((each) => each !== 'account')) {
        const refused = (await actions(scope)).map(({ status, body }) => [scope, status, body.code])
        expect(refused).toEqual(Array(8).fill([scope, 403, 'auth.scope']))
      }
      expect(await site.app.storage.userWebhooks.list(user.id)).toEqual([webhook])
      expect(sent).toEqual([])
      const allowed = await actions('account')
      expect(allowed.map(({ status }) => status)).toEqual([200, 200, 201, 200, 200, 200, 404, 204])
      expect(allowed[6]?.body.code).toBe('webhook.delivery_not_found')
      expect(sent).toMatchObject([{ url: URL_OF('a'), type: 'ping', secrets: [allowed[4]?.body.secret, secret] }])
      expect(await site.app.storage.userWebhooks.list(user.id)).toMatchObject([{ url: URL_OF('b') }])
    })

    test('SEC-46: a webhook ends with the API token that chose its address, which must not be limited to addresses', async () => {
      const { user, create, update, share } = await signIn()
      const { id } = (await create({ url: URL_OF('own') }).expect(201)).body
      const choose = async (limits: Partial<CreateToken>) => {
        const headers = { Authorization: `Bearer ${await site.app.tokenOf(user, limits)}` }
        return [
          await call('POST', '/account/webhooks', headers, { name: 'ci ☃', url: URL_OF('new') }),
          await call('PUT', `/account/webhooks/${id}`, headers, { url: URL_OF('moved') }),
        ]
      }
      const refused = await choose({ allowedIp: '127.0.0.1' })
      expect(refused.map(({ body }) => body.code)).toEqual(['auth.interactive', 'auth.interactive'])
      const told = async () => {
        await share()
        await deliver()
        return sent.splice(0).map(({ url }) => url)
      }
      expect(await told()).toEqual([URL_OF('own')])
      const allowed = await choose({ expiresAt: site.app.clock.now + MINUTE })
      expect(allowed.map(({ status }) => status)).toEqual([201, 200])
      expect((await told()).sort()).toEqual([URL_OF('moved'), URL_OF('new')])
      site.app.clock.now += MINUTE
      expect(await told()).toEqual([])
      await update(id, { url: URL_OF('own') }).expect(200)
      expect(await told()).toEqual([URL_OF('own')])
    })
  },
  { app: { plugins: [sender] } },
)

onOneStorage((site) => {
  test('without the feature the routes do not exist, and events are not stored', async () => {
    const { create, share } = await inSession(site, await site.app.signUp())
    expect((await create({ url: URL_OF('a') }).expect(404)).body.code).toBe('request.not_found')
    await share()
    expect(await site.app.storage.outbox.list({}, { skip: 0, take: 10 })).toEqual([])
    expect((await site.call('GET', '/settings').expect(200)).body.webhooks).toBe(false)
  })
})
