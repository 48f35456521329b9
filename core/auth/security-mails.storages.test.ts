/**
 * Mails about the security of an account: one for each change of access to the account, to the current and the previous
 * address.
 */

import { beforeEach, describe, expect, test } from 'vitest'
import { LOCAL_CLI } from '#core/contracts/auth-context'
import type { SecurityChange } from '#core/contracts/outbox'
import { addAuthenticatorApp } from '#test/factors'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onOneStorage, type Site } from '#test/for-each-storage'
import { recordingNotifier } from '#test/recording-notifier'
import { redirectCalls, startConnecting } from '#test/redirect-calls'
import { silentWebhookSender } from '#test/silent-webhook-sender'
import type { TestUser } from '#test/test-app'
import { setUserPassword } from './administer-users.js'

const NEW = 'näues Passwort ☃'
const DAY = 24 * 60 * 60_000
const { notifier, sent } = recordingNotifier()

interface Actors {
  site: Site
  user: TestUser
  former: string
  /** Headers of the user's session, and of an administrator. */
  session: Record<string, string>
  boss: Record<string, string>
}
/** Runs once before the mails are counted. Its result is passed to the change. */
type Prepare = (actors: Actors) => Promise<string>
type Change = (actors: Actors, prepared: string) => Promise<unknown>
/** `to`: default: the current and the previous address of the user. */
interface Row {
  name: string
  prepare?: Prepare
  run: Change
  also?: SecurityChange[]
  to?(actors: Actors): string[]
}

const token: Prepare = async ({ site: { call }, session }) =>
  (await call('POST', '/account/tokens', session, { name: 'ci ☃' }).expect(201)).body.id
const webhook: Prepare = async ({ site: { call }, session }) => {
  const body = { name: 'Empfänger ☃', url: 'https://hook.example.org/a' }
  return (await call('POST', '/account/webhooks', session, body).expect(201)).body.id
}
const identity: Prepare = async ({ site: { call }, session }) => {
  const asserted = anOutsider()
  const { state, Cookie } = await startConnecting({ call }, session)
  const query = new URLSearchParams({ state, code: JSON.stringify(asserted) })
  await call('GET', `/authentication/company/callback?${query}`, { Cookie }).expect(303)
  return JSON.stringify(asserted)
}
const authenticatorApp: Prepare = async ({ site, session }) => {
  await addAuthenticatorApp(site, session)
  return ''
}
const resetLink: Prepare = async ({ site, user }) => {
  await site.call('POST', '/authentication/forgot', OWN_PAGE, { email: user.email }).expect(204)
  const [mail] = await deliver(site, 1)
  return mail?.type === 'password-reset' ? new URL(mail.data.url).hash.slice(1) : ''
}
const signInAs = async (site: Site, asserted: object) => {
  const { start, back } = redirectCalls(site)
  const { state, Cookie } = await start('')
  await back(state, Cookie, asserted as ReturnType<typeof anOutsider>)
}
const revoke =
  (kind: 'token' | 'identity' | 'webhook'): Change =>
  async ({ site: { call }, boss, user: { username } }) => {
    const access = (await call('GET', `/admin/access?username=${username}`, boss).expect(200)).body
    const list = { token: access.tokens, identity: access.identities, webhook: access.webhooks }[kind]
    await call('DELETE', '/admin/access', boss, { username, kind, id: list[0].id }).expect(204)
  }
const update =
  (changes: object): Change =>
  ({ site: { call }, session, user }) =>
    call('PUT', '/account/update', session, { currentPassword: user.password, ...changes }).expect(200)
const administer =
  (method: string, path: string, body: object = {}): Change =>
  ({ site: { call }, boss, user: { username } }) =>
    call(method, path, boss, { username, ...body }).expect(200)
const newPassword = { newPassword: NEW, confirmNewPassword: NEW }
const onlyFormer = ({ former }: Actors) => [former]

/** Every kind of change, and every way to make it. */
const CHANGES: Record<SecurityChange, Row[]> = {
  password: [
    { name: 'on the account page', run: update(newPassword) },
    {
      name: 'with the address',
      run: update({ ...newPassword, email: 'x@example.org' }),
      also: ['email'],
      to: onlyFormer,
    },
    {
      name: 'by a lock-out',
      run: ({ site, session, user: { password } }) =>
        site.call('POST', '/account/lock-out', session, { currentPassword: password, newPassword: NEW }).expect(204),
    },
    {
      name: 'by a link in a mail',
      prepare: resetLink,
      run: ({ site }, link) =>
        site.call('POST', '/authentication/reset', OWN_PAGE, { token: link, newPassword: NEW }).expect(204),
    },
    { name: 'by an administrator', run: administer('POST', '/admin/lock-out', { password: NEW }) },
    {
      name: 'on the command line',
      run: ({ site, user: { username } }) =>
        setUserPassword(site.app, username, { password: NEW, mustChangePassword: true }, LOCAL_CLI),
    },
  ],
  email: [
    { name: 'on the account page', run: update({ email: 'x@example.org' }), to: onlyFormer },
    { name: 'by an administrator', run: administer('PUT', '/admin/users', { email: 'x@example.org' }), to: onlyFormer },
  ],
  role: [
    { name: 'by an administrator', run: administer('PUT', '/admin/users', { role: 'admin' }) },
    {
      name: 'by a provider',
      prepare: identity,
      run: ({ site }, asserted) => signInAs(site, { ...JSON.parse(asserted), role: 'admin' }),
    },
  ],
  identity: [
    { name: 'connected', run: identity },
    {
      name: 'disconnected',
      prepare: identity,
      run: ({ site, session }) =>
        site.call('DELETE', '/account/identities', session, { provider: 'company' }).expect(204),
    },
    { name: 'disconnected by an administrator', prepare: identity, run: revoke('identity') },
    {
      name: 'linked by its address',
      run: ({ site, user: { email } }) => signInAs(site, anOutsider({ email })),
    },
  ],
  token: [
    { name: 'created', run: token },
    {
      name: 'deleted',
      prepare: token,
      run: ({ site, session }, id) => site.call('DELETE', '/account/tokens', session, { id }).expect(204),
    },
    {
      name: 'deleted by an administrator',
      prepare: token,
      run: ({ site, boss, user: { username } }, id) =>
        site.call('DELETE', '/admin/tokens', boss, { username, id }).expect(204),
    },
    { name: 'revoked by an administrator', prepare: token, run: revoke('token') },
    { name: 'deleted with all sessions', prepare: token, run: administer('DELETE', '/admin/sessions') },
  ],
  webhook: [
    { name: 'added', run: webhook },
    {
      name: 'moved',
      prepare: webhook,
      run: ({ site, session }, id) =>
        site.call('PUT', `/account/webhooks/${id}`, session, { url: 'https://thief.example.org/' }).expect(200),
    },
    {
      name: 'signed with a new secret',
      prepare: webhook,
      run: ({ site, session }, id) => site.call('POST', `/account/webhooks/${id}/secret`, session).expect(200),
    },
    {
      name: 'deleted',
      prepare: webhook,
      run: ({ site, session }, id) => site.call('DELETE', `/account/webhooks/${id}`, session).expect(204),
    },
    { name: 'deleted by an administrator', prepare: webhook, run: revoke('webhook') },
  ],
  factor: [
    {
      name: 'reset by an administrator',
      prepare: authenticatorApp,
      run: administer('POST', '/admin/factors/reset'),
    },
    { name: 'added', run: authenticatorApp },
    {
      name: 'removed',
      prepare: authenticatorApp,
      run: ({ site, session }) => site.call('DELETE', '/account/factors/authenticator', session).expect(204),
    },
    {
      name: 'renewed recovery codes',
      prepare: authenticatorApp,
      run: ({ site, session }) => site.call('POST', '/account/factors/recovery-codes', session).expect(200),
    },
  ],
  suspended: [{ name: 'by an administrator', run: administer('PUT', '/admin/users', { suspended: true }) }],
  resumed: [
    {
      name: 'by an administrator',
      prepare: async (actors) => {
        await administer('PUT', '/admin/users', { suspended: true })(actors, '')
        return ''
      },
      run: administer('PUT', '/admin/users', { suspended: false }),
    },
  ],
  deleted: [
    { name: 'by an administrator', run: administer('DELETE', '/admin/users') },
    {
      name: 'on the account page',
      run: ({ site, session, user: { password } }) =>
        site.call('POST', '/account/delete', session, { password }).expect(200),
    },
  ],
  'lock-out': [{ name: 'by an administrator', run: administer('POST', '/admin/lock-out') }],
  'sign-in-alerts': [
    {
      name: 'turned off',
      run: ({ site, session }) =>
        site.call('PUT', '/account/notifications', session, { signInAlerts: false }).expect(204),
    },
  ],
}

/** Waits for `count` mails, and returns the received mails. */
async function deliver(site: Site, count: number): Promise<typeof sent> {
  const run = async () => {
    await site.app.background.delivery.run()
    return sent.length
  }
  await expect.poll(run).toBeGreaterThanOrEqual(count)
  return sent.splice(0)
}

onOneStorage(
  (site) => {
    beforeEach(() => void sent.splice(0))

    async function start(): Promise<Actors> {
      const former = 'former@example.org'
      const user = await site.app.signUp({ emailVerified: 1, formerEmail: former, formerEmailUntil: Date.UTC(2027, 0) })
      const boss = await site.app.as(await site.app.signUp({ role: 'admin' }))
      const session = await site.app.as(user)
      return { site, user, former, session: { ...OWN_PAGE, ...session }, boss: { ...OWN_PAGE, ...boss } }
    }

    describe.each(Object.entries(CHANGES) as [SecurityChange, Row[]][])('%s', (change, rows) => {
      test.each(rows)('SEC-48: $name: a mail to the current and the previous address of the user', async (row) => {
        const actors = await start()
        const prepared = (await row.prepare?.(actors)) ?? ''
        // The mails of the preparation.
        if (row.prepare && row.prepare !== resetLink) await deliver(site, 2)
        await row.run(actors, prepared)
        const addresses = row.to?.(actors) ?? [actors.user.email, actors.former]
        const changes = [change, ...(row.also ?? [])]
        const mails = await deliver(site, addresses.length * changes.length)
        const told = mails.flatMap((mail) =>
          mail.type === 'account-changed' ? [`${mail.data.change} ${mail.recipient.address}`] : [],
        )
        expect(told.sort()).toEqual(changes.flatMap((each) => addresses.map((to) => `${each} ${to}`)).sort())
      })
    })

    test('SEC-48: the event of a deleted account has its address encrypted only', async () => {
      const { user, former, boss } = await start()
      await site.call('DELETE', '/admin/users', boss, { username: user.username }).expect(200)
      const events = await site.app.storage.outbox.list({}, { skip: 0, take: 20 })
      expect(events.map(({ type }) => type)).toContain('user.security_changed')
      for (const hidden of [user.email, former, user.username]) expect(JSON.stringify(events)).not.toContain(hidden)
    })

    test('a sign-in on a new device: a mail to the current and the previous address of the user', async () => {
      const { user, former } = await start()
      site.app.clock.now += DAY
      const { username, password } = user
      await site.call('POST', '/authentication/signin', OWN_PAGE, { username, password }).expect(200)
      const mails = await deliver(site, 2)
      expect(mails.map(({ type, recipient }) => [type, recipient.address])).toEqual([
        ['new-device', user.email],
        ['new-device', former],
      ])
    })

    test('changes that do not let others act as the user send no mail', async () => {
      const actors = await start()
      const id = await webhook(actors)
      await deliver(site, 2)
      const { session } = actors
      await site.call('PUT', `/account/webhooks/${id}`, session, { name: 'other ☃' }).expect(200)
      await site.call('PUT', '/account/notifications', session, { signInAlerts: true, enabled: false }).expect(204)
      site.app.clock.now += DAY / 2
      await site.app.background.delivery.run()
      expect(sent).toEqual([])
    })
  },
  { app: { plugins: [notifier, silentWebhookSender], auth: [fakeAuth({ linkByEmail: true })] } },
)
