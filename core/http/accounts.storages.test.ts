/** Accounts: sign-up, user names, email addresses, passwords, changes and deletion. */
import { expect, test } from 'vitest'
import { forEachStorage, OWN_PAGE } from '#test/for-each-storage'
import { anId } from '../testing/lib/fixtures.js'

const good = { username: 'alice', email: 'alice@example.org', password: 'påsswörd ☃' }

/** Names that people would take for `alice`, or that break something. */
const NAMES = [
  'alice ',
  ' alice',
  'álice',
  'ａｌｉｃｅ',
  'alıce',
  'al\u200bice',
  'alice\0',
  'ali',
  'a'.repeat(21),
  'al ice',
  'al·ice',
  '\u212aarl',
]

/** Addresses that might be mistaken for an address at good.com. */
const ADDRESSES = [
  'a@evil.com,@good.com',
  'a@good.com@evil.com',
  '"a@good.com"@evil.com',
  'a@good.com\n@evil.com',
  'a@good.com.',
  'a@ｇood.com',
  'a@good.com%00',
  'a@good.com\0',
  '<a@good.com>',
  'a b@good.com',
  ' a@good.com',
  '@good.com',
  'a@',
  'a@127.0.0.1',
  `${'a'.repeat(10_000)}@good.com`,
]
/** In order, and not of good.com. */
const ELSEWHERE = ['a@evil.com', 'a@sub.good.com', 'a@notgood.com', 'a@xn--good-0ra.com', 'a@good.com.evil.com']

forEachStorage((site) => {
  const signUp = (body: object) => site.call('POST', '/authentication/signup', OWN_PAGE, body)
  const asAdmin = async () => site.app.as(await site.app.signUp({ username: 'boss', role: 'admin' }))

  test('SEC-27: a user name or email address that is taken in any case returns 409', async () => {
    await signUp(good).expect(200)
    const name = await signUp({ ...good, username: 'ALICE', email: 'b@example.org' }).expect(409)
    expect(name.body).toMatchObject({ code: 'user.name_taken', field: 'username' })
    const email = await signUp({ ...good, username: 'other', email: 'Alice@Example.ORG' }).expect(409)
    expect(email.body).toMatchObject({ code: 'user.email_taken', field: 'email' })
  })

  test('ten sign-ups at once under one name create one account', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => signUp({ ...good, email: `a${n}@example.org` })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(responses.flatMap(({ body }) => body.code ?? [])).toEqual(Array(9).fill('user.name_taken'))
  })

  site.once(() => {
    test('SEC-13: an account with the name of a deleted one inherits nothing from it', async () => {
      const files = [{ name: 'a', content: Buffer.from('☃').toString('base64') }]
      const secret = { text: 'für mich ☃', ttl: 600, isPublic: true, files }
      await signUp(good).expect(200)
      const old = { ...(await site.app.storage.users.find('alice')), password: good.password } as never
      const browser = await site.app.as(old)
      const token = await site.app.tokenOf(old)
      const program = { Authorization: `Bearer ${token}` }
      const key = { 'Idempotency-Key': 'once' }
      const made = (await site.call('POST', '/secret', { ...browser, ...key }, secret).expect(201)).body
      const seen = (await site.call('GET', `/secret/${made.id}`).expect(200)).body
      const upload = (await site.call('POST', '/files', browser, { size: 9, parts: 1 }).expect(201)).body

      const gone = await site.call('POST', '/account/delete', browser, { password: good.password }).expect(200)
      expect(gone.body).toEqual({ user: { username: 'alice', action: 'deleted' } })
      expect(site.app.emitted.at(-1)?.[0]).toBe('user.deleted')
      await signUp(good).expect(200)
      const next = await site.app.as({ ...(await site.app.storage.users.find('alice')), password: '' } as never)

      await site.call('GET', '/account', browser).expect(401)
      await site.call('GET', '/authentication/refresh', browser).expect(401)
      await site.call('GET', '/account', program).expect(401)
      await site.call('POST', '/secret', program, { text: 'x', ttl: 60 }).expect(401)
      expect((await site.call('GET', '/secret', next).expect(200)).body).toEqual([])
      expect((await site.call('GET', '/account/tokens', next).expect(200)).body).toEqual([])
      expect((await site.call('GET', '/account/sessions', next).expect(200)).body).toHaveLength(2)
      expect((await site.call('GET', '/secret/public/alice').expect(200)).body).toEqual([])
      await site.call('GET', `/secret/${made.id}`).expect(404)
      await site.call('POST', `/secret/${made.id}`, {}, { claim: anId() }).expect(404)
      await site.call('POST', `/secret/${made.id}/burn`, next, {}).expect(404)
      await site.call('POST', `/secret/${made.id}/burn`, {}, { burnToken: made.burnToken }).expect(404)
      await site.call('POST', '/download', {}, { key: seen.files[0].key, secretId: made.id }).expect(404)
      const again = (await site.call('POST', '/secret', { ...next, ...key }, secret).expect(201)).body
      expect(again.id).not.toBe(made.id)
      const asUploader = { Authorization: `Upload ${upload.token}` }
      await site.call('GET', `/files/${upload.id}`, asUploader).expect(404)
      await site.call('PUT', `/files/${upload.id}/0`, { ...asUploader, 'Content-Length': '9' }, '123456789').expect(404)
    })

    test('GET /account returns the account without hash and id', async () => {
      await signUp(good).expect(200)
      const user = await site.app.storage.users.find('alice')
      const headers = { Authorization: `Bearer ${await site.app.tokenOf({ ...user, password: '' } as never)}` }
      const { body } = await site.call('GET', '/account', headers).expect(200)
      const createdAt = site.app.clock.now
      expect(body).toEqual({
        user: {
          username: 'alice',
          email: 'alice@example.org',
          role: 'user',
          generated: false,
          hasPassword: true,
          createdAt,
          notifications: true,
          emailVerified: null,
          signInAlerts: true,
          defaults: { ttl: null, views: null },
        },
      })
    })

    test('a user name may contain dots, and its public list has them in the path', async () => {
      await signUp({ ...good, username: 'Anna.Smith' }).expect(200)
      const headers = await site.app.as(await site.app.signUp({ username: 'b.o.b' }))
      await site.call('POST', '/secret', headers, { text: 'geheim ☃', ttl: 60, isPublic: true }).expect(201)
      expect((await site.call('GET', '/secret/public/B.O.B').expect(200)).body).toMatchObject([{ username: 'b.o.b' }])
      expect((await site.call('GET', '/secret/public/anna.smith').expect(200)).body).toEqual([])
    })

    test.each(NAMES)('SEC-27: user name %j is refused', async (username) => {
      const { body } = await signUp({ ...good, username }).expect(400)
      expect(body.field).toBe('username')
      const made = await site.call('POST', '/admin/users', await asAdmin(), { ...good, username }).expect(400)
      expect(made.body.field).toBe('username')
    })

    test('SEC-28: restrict_organization_email applies to sign-up, administrators and account updates', async () => {
      const admin = await asAdmin()
      await site
        .call('PUT', '/admin/settings', admin, { restrict_organization_email: 'other.org, Good.com' })
        .expect(200)
      const user = await site.app.signUp({ username: 'member' })
      const ways = (email: string) => [
        signUp({ ...good, email }),
        site.call('POST', '/admin/users', admin, { ...good, email }),
        site.call('PUT', '/admin/users', admin, { username: 'member', email }),
      ]
      for (const email of ADDRESSES) {
        for (const way of ways(email)) expect((await way.expect(400)).body, email).toMatchObject({ field: 'email' })
      }
      for (const email of ELSEWHERE) {
        const change = { currentPassword: user.password, email }
        const own = site.call('PUT', '/account/update', await site.app.as(user), change)
        for (const way of [...ways(email), own]) {
          expect((await way.expect(403)).body, email).toMatchObject({ code: 'auth.email_domain', field: 'email' })
        }
      }
      await signUp({ ...good, email: 'a@GOOD.com' }).expect(200)
      await site.call('PUT', '/admin/users', admin, { username: 'member', email: 'b@other.org' }).expect(200)
    })

    test.each([
      'role',
      'isAdmin',
      'id',
      'generated',
      'createdAt',
      'passwordHash',
      '__proto__',
      'constructor',
      'scopes',
    ])('SEC-15: field %j in sign-up and account update is refused', async (field) => {
      const body = `{"username":"alice","email":"a@example.org","password":"påsswörd ☃","${field}":"admin"}`
      const headers = { ...OWN_PAGE, 'Content-Type': 'application/json' }
      await site.call('POST', '/authentication/signup', headers, body).expect(400)
      expect(await site.app.storage.users.find('alice')).toBe(null)
      if (field === 'generated') return
      const user = await site.app.signUp()
      const change = `{"currentPassword":"${user.password}","${field}":"admin"}`
      const own = { ...(await site.app.as(user)), 'Content-Type': 'application/json' }
      await site.call('PUT', '/account/update', own, change).expect(400)
      expect(await site.app.storage.users.get(user.id)).toMatchObject({ role: 'user' })
    })

    test('SEC-15: the first sign-up creates an ordinary user', async () => {
      await signUp(good).expect(200)
      expect(await site.app.storage.users.find('alice')).toMatchObject({ role: 'user' })
      expect((await site.call('GET', '/settings').expect(200)).body).toMatchObject({ setUp: true })
    })

    test.each([
      ['four', 'request.invalid'],
      ['x'.repeat(51), 'request.invalid'],
      ['☃'.repeat(4), 'request.invalid'],
      ['123456', 'auth.password_common'],
      ['PassWord', 'auth.password_common'],
      ['alice2026', 'auth.password_common'],
      ['Mayfly!', 'auth.password_common'],
      ['\ud800bcdef', 'request.invalid'],
    ])('password %j is refused', async (password, code) => {
      expect((await signUp({ ...good, password }).expect(400)).body).toMatchObject({ code, field: 'password' })
    })

    test('V6.2.1: passwordMin and passwordMax apply, and administrators need at least 12 characters', async () => {
      await site.restart({ settings: { passwordMin: 8, passwordMax: 60 } })
      const admin = await asAdmin()
      await signUp({ ...good, password: 'séven77' }).expect(400)
      await signUp({ ...good, password: 'x☃'.repeat(30) }).expect(200)
      const boss = { username: 'other', email: 'o@example.org', role: 'admin' }
      await site.call('POST', '/admin/users', admin, { ...boss, password: 'éleven chars'.slice(0, 11) }).expect(400)
      await site.call('POST', '/admin/users', admin, { ...boss, password: 'twelve chårs' }).expect(201)
      const { body } = await site.call('GET', '/settings').expect(200)
      expect(body.limits).toMatchObject({ passwordMin: 8, passwordMax: 60 })
    })

    test('V6.2.2: an account changes only with its current password and a valid new one', async () => {
      const user = await site.app.signUp()
      const headers = await site.app.as(user)
      const update = (body: object) => site.call('PUT', '/account/update', headers, body)
      const right = { currentPassword: user.password }
      const wrong = await update({ currentPassword: 'wrong', email: 'x@example.org' }).expect(403)
      expect(wrong.body).toMatchObject({ code: 'auth.password_wrong', field: 'currentPassword' })
      expect((await update({ ...right, newPassword: 'néw ånd long' }).expect(400)).body.field).toBe(
        'confirmNewPassword',
      )
      const unlike = { ...right, newPassword: 'néw ånd long', confirmNewPassword: 'other' }
      expect((await update(unlike).expect(400)).body.field).toBe('confirmNewPassword')
      const short = { ...right, newPassword: 'abc', confirmNewPassword: 'abc' }
      expect((await update(short).expect(400)).body.field).toBe('newPassword')
      await site.call('POST', '/account/delete', headers, { password: 'wrong' }).expect(403)
      await update(right).expect(200)
      const taken = await site.app.signUp()
      expect((await update({ ...right, email: taken.email }).expect(409)).body.code).toBe('user.email_taken')
      expect(await site.app.storage.users.get(user.id)).toMatchObject({
        email: user.email,
        passwordHash: user.passwordHash,
      })
    })

    test('V6.4.1: a password set by an administrator is marked as generated until the user changes it', async () => {
      const admin = await asAdmin()
      const { body } = await site.call('POST', '/admin/users', admin, good).expect(201)
      expect(body).toMatchObject({ username: 'alice', role: 'user', generated: true })
      const user = { ...(await site.app.storage.users.find('alice')), password: good.password } as never
      const change = { currentPassword: good.password, newPassword: 'my öwn word', confirmNewPassword: 'my öwn word' }
      const changed = await site.call('PUT', '/account/update', await site.app.as(user), change).expect(200)
      expect(changed.body.user.generated).toBe(false)
    })

    test('a user who becomes an administrator has to choose a longer password before administration', async () => {
      const admin = await asAdmin()
      await signUp({ ...good, password: 'shört' }).expect(200)
      const promoted = await site.call('PUT', '/admin/users', admin, { username: 'alice', role: 'admin' }).expect(200)
      expect(promoted.body).toMatchObject({ role: 'admin', generated: true })
      const response = await site
        .call('POST', '/authentication/signin', OWN_PAGE, { username: 'alice', password: 'shört' })
        .expect(200)
      const Cookie = ((response.headers['set-cookie'] ?? []) as unknown as string[])
        .map((set) => set.split(';')[0])
        .join('; ')
      const change = (newPassword: string) => {
        const body = { currentPassword: 'shört', newPassword, confirmNewPassword: newPassword }
        return site.call('PUT', '/account/update', { ...OWN_PAGE, Cookie }, body)
      }
      const alice = { ...(await site.app.storage.users.find('alice')), password: 'shört' } as never
      const token = { Authorization: `Bearer ${await site.app.tokenOf(alice)}` }
      for (const own of [{ ...OWN_PAGE, Cookie }, token]) {
        const refused = await site.call('GET', '/admin/users', own).expect(403)
        expect(refused.body.code).toBe('auth.password_change')
        await site.call('PUT', '/admin/settings', own, { read_only: true }).expect(403)
        await site.call('GET', '/account', own).expect(200)
      }
      const theirs = (await site.call('POST', '/secret', admin, { text: '☃', ttl: 60 }).expect(201)).body
      await site.call('POST', `/secret/${theirs.id.split('~')[0]}/burn`, { ...OWN_PAGE, Cookie }, {}).expect(404)
      const keep = { currentPassword: 'shört', generated: false }
      const kept = await site.call('PUT', '/account/update', { ...OWN_PAGE, Cookie }, keep).expect(400)
      expect(kept.body.field).toBe('generated')
      expect((await change('x☃'.repeat(5)).expect(400)).body.field).toBe('newPassword')
      expect((await change('x☃'.repeat(6)).expect(200)).body.user.generated).toBe(false)
      await site.call('GET', '/admin/users', await site.app.as(alice)).expect(200)
      // A demotion, and an account without a password, do not require a new password.
      await site.call('PUT', '/admin/users', admin, { username: 'alice', role: 'user' }).expect(200)
      expect(await site.app.storage.users.find('alice')).toMatchObject({ mustChangePassword: false })
      const { username } = await site.app.signUp({ passwordHash: null })
      const without = await site.call('PUT', '/admin/users', admin, { username, role: 'admin' }).expect(200)
      expect(without.body.generated).toBe(false)
    })

    test('a new administrator needs 12 characters, and changes a password that someone else knows first', async () => {
      const admin = await asAdmin()
      const wanted = { ...good, role: 'admin' }
      for (const generated of [true, false]) {
        const body = { ...wanted, password: 'Zq8xK☃'.repeat(2).slice(1), generated }
        expect((await site.call('POST', '/admin/users', admin, body).expect(400)).body.field).toBe('password')
      }
      const password = 'Zq8xK☃'.repeat(2)
      for (const generated of [true, false]) {
        const username = `new-${generated}`
        const body = { ...wanted, username, email: `${username}@example.org`, password, generated }
        await site.call('POST', '/admin/users', admin, body).expect(201)
        const user = { ...(await site.app.storage.users.find(username)), password } as never
        await site.call('GET', '/admin/users', await site.app.as(user)).expect(generated ? 403 : 200)
      }
    })
  })
})
