/** Thief stories: each kind of access that someone stole or left behind ends with each way to recover the account. */

import { beforeEach, describe, expect, test } from 'vitest'
import { verifyChain } from '#core/audit/audit-chain'
import type { ChainedEntry } from '#core/contracts/audit'
import { LOCAL_CLI } from '#core/contracts/auth-context'
import type { Scope } from '#core/contracts/tokens'
import type { User } from '#core/contracts/users'
import { aHash, anIdentity, aSession, aToken, aWebhook } from '#core/testing/lib/fixtures'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onOneStorage, type Site } from '#test/for-each-storage'
import { recordingNotifier } from '#test/recording-notifier'
import { cookieIn, redirectCalls, startConnecting } from '#test/redirect-calls'
import { silentWebhookSender } from '#test/silent-webhook-sender'
import type { TestUser } from '#test/test-app'
import { setUserPassword } from './administer-users.js'
import { identifyDevice } from './known-devices.js'

const NEW = 'näues Passwort ☃'
const HOUR = 60 * 60_000
const { notifier, sent } = recordingNotifier()

type Headers = Record<string, string>

/** Something that the thief has. */
interface Loot {
  name: string
  works(): Promise<boolean>
  /** Checked after the recovery only: it works once, or never did. */
  once?: boolean
}

interface Story {
  name: string
  user?: Partial<User>
  steal(site: Site, user: TestUser): Promise<Loot[]>
}

const isOk = async (response: PromiseLike<{ status: number }>) => (await response).status < 300
const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` })

async function deliver(site: Site, type: string): Promise<typeof sent> {
  const run = async () => {
    await site.app.background.delivery.run()
    return sent.filter((each) => each.type === type).length
  }
  await expect.poll(run).toBeGreaterThan(0)
  return sent.splice(0).filter((each) => each.type === type)
}

/** Requests a link, waits until it is sent, and returns its token. */
async function askForLink(site: Site, email: string): Promise<string> {
  await site.call('POST', '/authentication/forgot', OWN_PAGE, { email }).expect(204)
  const find = async () => {
    await site.app.background.delivery.run()
    const mail = sent.findLast((each) => each.type === 'password-reset' && each.recipient.address === email)
    return mail?.type === 'password-reset' ? new URL(mail.data.url).hash.slice(1) : null
  }
  await expect.poll(find).not.toBeNull()
  return (await find()) ?? ''
}

/** A session and the cookie of a known device. */
async function signIn(site: Site, { username }: TestUser, password: string) {
  const response = await site.call('POST', '/authentication/signin', OWN_PAGE, { username, password }).expect(200)
  const { headers } = response
  return {
    session: { ...OWN_PAGE, Cookie: cookieIn(headers, '__Host-session') },
    device: cookieIn(headers, '__Host-device'),
  }
}

const sessionLoot = (site: Site, session: Headers): Loot => ({
  name: 'session',
  works: () => isOk(site.call('GET', '/account', session)),
})

const tokenLoot = (site: Site, token: string): Loot => ({
  name: 'token',
  works: () => isOk(site.call('GET', '/authentication/verify', bearer(token))),
})

/** Adds a webhook, with the headers of a session or of a token. */
async function addWebhook(site: Site, user: TestUser, headers: Headers): Promise<Loot> {
  const body = { name: 'Empfänger ☃', url: 'https://thief.example.org/' }
  await site.call('POST', '/account/webhooks', headers, body).expect(201)
  return {
    name: 'webhook',
    works: async () => (await site.app.storage.userWebhooks.list(user.id)).length > 0,
  }
}

/** Connects an account of the thief at the provider. */
async function connect(site: Site, { username }: TestUser, session: Headers): Promise<Loot> {
  const identity = anOutsider()
  const connecting = await startConnecting(site, session)
  const { start, back, sessionOf } = redirectCalls(site)
  await back(connecting.state, connecting.Cookie, identity)
  return {
    name: 'identity',
    async works() {
      const { state, Cookie } = await start('')
      return (await sessionOf(await back(state, Cookie, identity))) === username
    },
  }
}

/** Approves a program of the thief, which has not claimed its token yet. */
async function approveDevice({ call }: Site, session: Headers): Promise<Loot> {
  const body = { client: 'mayfly on thief ☃', scopes: ['account'] }
  const started = await call('POST', '/authentication/device', OWN_PAGE, body).expect(200)
  const { deviceCode, userCode: code } = started.body
  await call('POST', '/account/device', session, { code, approve: true }).expect(204)
  return {
    name: 'device login',
    works: () => isOk(call('POST', '/authentication/device/token', OWN_PAGE, { deviceCode })),
    once: true,
  }
}

/** All access that a session can add. */
async function leaveTraces(site: Site, user: TestUser, session: Headers): Promise<Loot[]> {
  const made = await site.call('POST', '/account/tokens', session, { name: 'ci ☃' }).expect(201)
  return [
    sessionLoot(site, session),
    tokenLoot(site, made.body.token),
    await approveDevice(site, session),
    await connect(site, user, session),
    await addWebhook(site, user, session),
  ]
}

/** Changes that a token must never make, because they would outlive the token. */
const BEYOND_TOKENS: [method: string, path: string, body: object][] = [
  ['POST', '/account/tokens', { name: 'more' }],
  ['PUT', '/account/update', { email: 'thief@example.org' }],
  ['POST', '/account/lock-out', { newPassword: NEW }],
  ['DELETE', '/account/identities', { provider: 'company' }],
  ['POST', '/admin/users', { username: 'accomplice', email: 'a@example.org', password: 'long enough ☃' }],
]

const tokenStory = (scope: Scope): Story => ({
  name: `a token with ${scope}`,
  user: scope.startsWith('admin') ? { role: 'admin' } : {},
  async steal(site, user) {
    const token = await site.app.tokenOf(user, { scopes: [scope] })
    for (const [method, path, body] of BEYOND_TOKENS) {
      const { status } = await site.call(method, path, bearer(token), body)
      expect([path, status]).toEqual([path, 403])
    }
    const added = scope === 'account' ? [await addWebhook(site, user, bearer(token))] : []
    return [tokenLoot(site, token), ...added]
  },
})

/** Rows of the current, next and previous epochs, as another program with database access could write them. */
async function writeRows(site: Site, user: TestUser): Promise<Loot[]> {
  const { id: userId, email } = user
  const { storage, clock } = site.app
  const loot: Loot[] = []
  const keep = (name: string, epoch: number, find: () => Promise<unknown>, isCurrent = epoch === 0) =>
    loot.push({ name: `${name} of epoch ${epoch}`, works: async () => (await find()) !== null, once: !isCurrent })
  for (const epoch of [-1, 0, 1, 2]) {
    const session = aSession({ userId, epoch, expiresAt: clock.now + 9 * HOUR, endsAt: clock.now + 9 * HOUR })
    const token = aToken({ userId, epoch, expiresAt: clock.now + 9 * HOUR })
    const [identity, reset] = [anIdentity(), aHash()]
    await storage.sessions.open(session, 20, clock.now)
    await storage.tokens.create({ token, max: 100, now: clock.now })
    await storage.users.link(userId, identity, epoch)
    await storage.oneTimeLinks.create({
      hash: reset,
      purpose: 'password-reset',
      userId,
      email,
      expiresAt: clock.now + HOUR,
      epoch,
    })
    await storage.userWebhooks.create(aWebhook({ userId, epoch }), 99)
    keep('session', epoch, () => storage.sessions.find(session.tokenHash, clock.now))
    keep('token', epoch, () => storage.tokens.find(token.id, clock.now))
    keep('identity', epoch, () => storage.users.findByIdentity(identity))
    keep('reset', epoch, async () => storage.oneTimeLinks.findReset(reset, clock.now))
  }
  loot.push({ name: 'webhooks', works: async () => (await storage.userWebhooks.list(userId)).length > 0 })
  return loot
}

const STORIES: Story[] = [
  {
    name: 'the password',
    async steal(site, user) {
      const { session, device } = await signIn(site, user, user.password)
      const current = () => site.app.storage.users.get(user.id)
      const { username, password } = user
      return [
        ...(await leaveTraces(site, user, session)),
        {
          name: 'password',
          works: () => isOk(site.call('POST', '/authentication/signin', OWN_PAGE, { username, password })),
        },
        {
          name: 'known device',
          works: async () => identifyDevice(site.app, await current(), device.split('=')[1] ?? '') !== null,
        },
      ]
    },
  },
  {
    name: 'a session',
    steal: async (site, user) => leaveTraces(site, user, { ...OWN_PAGE, ...(await site.app.as(user)) }),
  },
  ...(
    ['secrets:create', 'secrets:read', 'account', 'admin', 'admin:read', 'admin:users', 'admin:settings'] as const
  ).map(tokenStory),
  { name: 'write access to the database', steal: writeRows },
  {
    name: 'the mailbox of a former address',
    async steal(site, user) {
      const early = await askForLink(site, user.email)
      const session = { ...OWN_PAGE, ...(await site.app.as(user)) }
      const former = user.email
      user.email = `new-${former}`
      const body = { email: user.email, currentPassword: user.password }
      await site.call('PUT', '/account/update', session, body).expect(200)
      await site.app.storage.users.update(user.id, { emailVerified: 1 })
      sent.splice(0)
      const reset = (token: string) =>
        isOk(site.call('POST', '/authentication/reset', OWN_PAGE, { token, newPassword: `${NEW}!` }))
      return [
        { name: 'link from before', works: () => reset(early), once: true },
        {
          name: 'new link',
          async works() {
            await site.call('POST', '/authentication/forgot', OWN_PAGE, { email: former }).expect(204)
            // Later than a mail to the former address would be.
            await askForLink(site, user.email)
            return sent.some(({ type, recipient }) => type === 'password-reset' && recipient.address === former)
          },
        },
      ].map((each) => ({ ...each, once: true }))
    },
  },
]

type Recovery = [name: string, recover: (site: Site, user: TestUser) => Promise<unknown>]

const RECOVERIES: Recovery[] = [
  [
    'a password reset by mail',
    async (site, { email }) => {
      const token = await askForLink(site, email)
      await site.call('POST', '/authentication/reset', OWN_PAGE, { token, newPassword: NEW }).expect(204)
    },
  ],
  [
    '`mayfly user passwd`',
    ({ app }, { username }) => setUserPassword(app, username, { password: NEW, mustChangePassword: true }, LOCAL_CLI),
  ],
  [
    'the lock-out of an administrator',
    async ({ app, call }, { username }) => {
      const boss = await app.as(await app.signUp({ role: 'admin' }))
      await call('POST', '/admin/lock-out', boss, { username, password: NEW }).expect(200)
    },
  ],
  [
    'the lock-out of the owner',
    async ({ app, call }, user) => {
      const session = { ...OWN_PAGE, ...(await app.as(user)) }
      const body = { currentPassword: user.password, newPassword: NEW }
      await call('POST', '/account/lock-out', session, body).expect(204)
    },
  ],
]

/** Names of the access that works. */
async function listWorking(loot: Loot[]): Promise<string[]> {
  const names: string[] = []
  for (const { name, works } of loot) if (await works()) names.push(name)
  return names
}

onOneStorage(
  (site) => {
    beforeEach(() => void sent.splice(0))

    describe.each(STORIES)('a thief with $name', ({ user: differing = {}, steal }) => {
      test.each(RECOVERIES)('SEC-48: keeps nothing after %s, and the owner gets a mail', async (_, recover) => {
        const user = await site.app.signUp({ emailVerified: 1, ...differing })
        const loot = await steal(site, user)
        const lasting = loot.filter(({ once }) => !once)
        expect(await listWorking(lasting)).toEqual(lasting.map(({ name }) => name))
        await site.app.background.delivery.run()
        sent.splice(0)
        await recover(site, user)
        const mails = await deliver(site, 'account-changed')
        expect(mails.map(({ recipient }) => recipient.address)).toContain(user.email)
        expect(JSON.stringify(mails)).not.toContain('#')
        expect(await listWorking(loot)).toEqual([])
        await signIn(site, user, NEW)
      })
    })

    test('SEC-48: a thief with write access to the database cannot remove or change entries of the audit log unnoticed', async () => {
      const user = await site.app.signUp({ emailVerified: 1 })
      const { session } = await signIn(site, user, user.password)
      await leaveTraces(site, user, session)
      const { audit } = site.app.storage
      await expect.poll(async () => (await audit.chainState()).entries).toBeGreaterThan(3)
      const problems = async (change: (entries: ChainedEntry[]) => ChainedEntry[]) => {
        const readChain = async (after: number, limit: number) => change(await audit.readChain(after, limit))
        const report = await verifyChain({ chainState: () => audit.chainState(), readChain }, null)
        return report.problems.map(({ problem }) => problem)
      }
      const isTrace = ({ action }: ChainedEntry) => action === 'account.linked'
      expect(await problems((entries) => entries)).toEqual([])
      expect(await problems((entries) => entries.filter((entry) => !isTrace(entry)))).toContain('missing')
      expect(
        await problems((entries) => entries.map((entry) => (isTrace(entry) ? { ...entry, actor: 'other' } : entry))),
      ).toContain('changed')
    })
  },
  { app: { plugins: [notifier, silentWebhookSender], auth: [fakeAuth()] } },
)
