/** Second factors after a password change and after a lock-out. */
import { expect, test } from 'vitest'
import { addAuthenticatorApp, addPasskey } from '#test/factors'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import { createResetLink } from '../password-reset.js'

const NEW = 'näues Passwort ☃'

onOneStorage((site) => {
  /** A user with an app, a passkey and recovery codes. */
  async function createEnrolled() {
    const user = await site.app.signUp()
    const session = await site.app.as(user)
    await addAuthenticatorApp(site, session)
    const { id } = await addPasskey(site, session)
    return { user, session, id }
  }
  const listFactors = async ({ id }: { id: string }) => {
    const { passkeys, authenticator, recoveryCodes } = await site.app.storage.factors.list(id)
    const secondFactor = (await site.app.storage.users.get(id))?.secondFactor
    return { passkeys: passkeys.length, hasApp: authenticator !== null, recoveryCodes, secondFactor }
  }
  const ALL = { passkeys: 1, hasApp: true, recoveryCodes: 10, secondFactor: true }
  const NONE = { passkeys: 0, hasApp: false, recoveryCodes: 0, secondFactor: false }

  test('SEC-55: a new password by a link in an e-mail keeps all second factors', async () => {
    const { user } = await createEnrolled()
    const token = new URL((await createResetLink(site.app, user)).url).hash.slice(1)
    const access = await site.call('POST', '/authentication/reset/access', OWN_PAGE, { token }).expect(200)
    expect(access.body.factors).toEqual([])
    const keep = { factors: [] }
    await site.call('POST', '/authentication/reset', OWN_PAGE, { token, newPassword: NEW, keep }).expect(204)
    expect(await listFactors(user)).toEqual(ALL)
    const { username } = user
    const first = await site.call('POST', '/authentication/signin', OWN_PAGE, { username, password: NEW }).expect(200)
    expect(first.body.secondFactor.methods).toEqual(['passkey', 'authenticator', 'recovery-code'])
  })

  test('a new password on the account page keeps all second factors', async () => {
    const { user, session } = await createEnrolled()
    const body = { currentPassword: user.password, newPassword: NEW, confirmNewPassword: NEW }
    await site.call('PUT', '/account/update', session, body).expect(200)
    expect(await listFactors(user)).toEqual(ALL)
  })

  test('a lock-out ends the second factors that the user does not keep', async () => {
    const [one, other] = [await createEnrolled(), await createEnrolled()]
    const access = (await site.call('GET', '/account/access', one.session).expect(200)).body
    expect(access.factors.map(({ kind }: { kind: string }) => kind)).toEqual([
      'passkey',
      'authenticator',
      'recovery-codes',
    ])
    const body = { currentPassword: one.user.password, newPassword: NEW }
    const keep = { factors: [one.id, 'recovery-codes'] }
    await site.call('POST', '/account/lock-out', one.session, { ...body, keep }).expect(204)
    expect(await listFactors(one.user)).toEqual({ ...ALL, hasApp: false })
    await site.call('POST', '/account/lock-out', other.session, body).expect(204)
    expect(await listFactors(other.user)).toEqual(NONE)
  })

  test('an administrator removes single second factors', async () => {
    const { user, id } = await createEnrolled()
    const boss = await site.app.as(await site.app.signUp({ role: 'admin' }))
    const revoke = (factor: string) =>
      site.call('DELETE', '/admin/access', boss, { username: user.username, kind: 'factor', id: factor })
    await revoke('recovery-codes').expect(204)
    expect(await listFactors(user)).toEqual({ ...ALL, recoveryCodes: 0 })
    for (const factor of [id, 'authenticator']) await revoke(factor).expect(204)
    await revoke('authenticator').expect(404)
    expect(await listFactors(user)).toEqual(NONE)
  })
})
