/** Which account an external identity belongs to. */

import { expect, test } from 'vitest'
import { anOutsider } from '#test/fake-auth'
import { forEachStorage } from '#test/for-each-storage'
import { anonymous } from '../contracts/auth-context.js'
import type { AuthProvider, Identity } from '../contracts/auth-provider.js'
import type { SettingsChanges } from '../settings/create-settings.js'
import { resolveIdentity } from './resolve-identity.js'
import { openSession } from './sessions.js'
import { checkPassword } from './sign-in.js'

const COMPANY: AuthProvider = { id: 'company', signUp: true }

forEachStorage((site) => {
  const accountOf = (identity: Identity, provider: Partial<AuthProvider> = {}) =>
    resolveIdentity(site.app, { ...COMPANY, ...provider }, identity, anonymous('203.0.113.9'))
  const noted = async () => {
    await site.app.audit.flush()
    return (await site.app.storage.audit.list({}, { skip: 0, take: 100 })).map(({ action }) => action)
  }

  test('twelve identities at once with one name get twelve accounts', async () => {
    const identities = Array.from({ length: 12 }, () => anOutsider({ username: 'alice' }))
    const users = await Promise.all(identities.map((identity) => accountOf(identity)))
    expect(new Set(users.map(({ username }) => username)).size).toBe(12)
    expect(users.every(({ username }) => /^alice\d*$/.test(username))).toBe(true)
  })

  test('twenty first requests at once of one identity create one account', async () => {
    const identity = anOutsider()
    const users = await Promise.all(Array.from({ length: 20 }, () => accountOf(identity)))
    expect(new Set(users.map(({ id }) => id)).size).toBe(1)
    expect(site.app.emitted.filter(([name]) => name === 'user.created')).toHaveLength(1)
  })

  site.once(() => {
    test('a provider cannot demote the last administrator', async () => {
      const identity = anOutsider({ role: 'admin' })
      const user = await accountOf(identity)
      expect(await accountOf({ ...identity, role: 'user' })).toMatchObject({ id: user.id, role: 'admin' })
      await site.app.audit.stop()
      const [entry] = await site.app.storage.audit.list({ action: 'user.role_kept' }, { skip: 0, take: 1 })
      expect(entry).toMatchObject({ subject: user.username })
    })

    test('the first sign-in creates an account, and later ones return the same', async () => {
      const identity = anOutsider({ username: 'Zoë Müller' })
      const user = await accountOf(identity)
      expect(user).toMatchObject({ username: 'zoe-muller', email: identity.email, role: 'user', passwordHash: null })
      expect(await accountOf({ ...identity, username: 'other', email: 'other@example.org' })).toEqual(user)
      expect(site.app.emitted).toContainEqual(['user.created', { userId: user.id, provider: 'company' }])
      expect(await noted()).toContain('user.created')
      // The account has no password, so password sign-in fails.
      expect(await checkPassword(site.app, 'zoe-muller', '')).toBeNull()
    })

    test('the same subject of another provider gets another account', async () => {
      const identity = anOutsider()
      const { id } = await accountOf(identity)
      const other = await accountOf({ ...identity, email: 'x@example.org' }, { id: 'other' })
      expect(other.id).not.toBe(id)
    })

    test('an existing account is linked by email only for providers with linkByEmail', async () => {
      const boss = await site.app.signUp({ role: 'admin' })
      await site.app.as(boss)
      await site.app.tokenOf(boss)
      // The creator of the account may have connected an identity.
      const earlier = { provider: 'company', subject: 'earlier ☃' }
      await site.app.storage.users.link(boss.id, earlier, 0)
      const identity = anOutsider({ email: boss.email.toUpperCase() })
      await expect(accountOf(identity)).rejects.toMatchObject({ code: 'auth.account_exists' })
      expect(await site.app.storage.users.findByIdentity({ provider: 'company', ...identity })).toBeNull()
      const linked = await accountOf(identity, { linkByEmail: true })
      // The account was created with an unverified address, so its former sessions end.
      expect(linked).toMatchObject({ id: boss.id, role: 'admin', passwordHash: null })
      const { now } = site.app.clock
      expect(await site.app.storage.sessions.list(boss.id, now)).toEqual([])
      expect(await site.app.storage.tokens.list(boss.id, now)).toEqual([])
      expect(await site.app.storage.users.findByIdentity(earlier)).toBeNull()
      expect(await noted()).toContain('account.linked')
      expect((await accountOf(identity)).id).toBe(boss.id)
    })

    test.each<[string, SettingsChanges, Partial<AuthProvider>]>([
      ['auth.sign_up_disabled', { disable_user_account_creation: true }, {}],
      ['auth.users_disabled', { disable_users: true }, {}],
      ['auth.email_domain', { restrict_organization_email: 'corp.example' }, {}],
      ['auth.sign_up_disabled', {}, { signUp: false }],
    ])('%s refuses identities without an account and no others', async (code, settings, provider) => {
      const known = anOutsider()
      await accountOf(known)
      await site.app.settings.update(settings, { username: null, address: null })
      await expect(accountOf(anOutsider(), provider)).rejects.toMatchObject({ code })
      expect(await accountOf(known, provider)).toMatchObject({ role: 'user' })
    })

    test('the role of the provider is applied, and a change ends every session', async () => {
      await site.app.signUp({ role: 'admin' })
      const identity = anOutsider()
      const user = await accountOf({ ...identity, role: 'admin' })
      expect(user.role).toBe('admin')
      await openSession(site.app, user, '', 1)
      expect(await accountOf(identity)).toMatchObject({ role: 'admin' })
      const sessions = () => site.app.storage.sessions.list(user.id, site.app.clock.now)
      expect(await sessions()).toHaveLength(1)
      expect(await accountOf({ ...identity, role: 'user' })).toMatchObject({ id: user.id, role: 'user' })
      expect(await sessions()).toEqual([])
    })

    test('a user with a password whom the provider makes an administrator has to change it', async () => {
      const user = await site.app.signUp()
      const identity = anOutsider()
      await site.app.storage.users.link(user.id, { provider: 'company', subject: identity.subject }, 0)
      const known = { id: 'company' }
      expect(await accountOf(identity, known)).toMatchObject({ id: user.id, mustChangePassword: false })
      const promoted = await accountOf({ ...identity, role: 'admin' }, known)
      expect(promoted).toMatchObject({ id: user.id, role: 'admin', mustChangePassword: true })
      const other = await accountOf({ ...anOutsider(), role: 'admin' })
      expect(other).toMatchObject({ role: 'admin', mustChangePassword: false })
    })

    test.each([
      { subject: '' },
      { subject: 'x'.repeat(256) },
      { subject: '\ud800' },
      { subject: 'a\nb' },
      { email: 'no address' },
      { email: 'a@b@example.org' },
      { email: '' },
      { role: 'root' as 'admin' },
      { username: 7 as unknown as string },
    ])('an identity with %j is refused', async (wrong) => {
      await expect(accountOf(anOutsider(wrong))).rejects.toMatchObject({ code: 'auth.refused' })
      expect(site.app.emitted).toEqual([])
    })
  })
})
