/** Instance settings: read and changed by administrators, enforced in every process. */

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { onOneStorage } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'
import { anonymous } from '../contracts/auth-context.js'
import { createSecret } from '../secrets/create-secret.js'
import { createSettings } from '../settings/create-settings.js'
import { encryptSecret } from '../shared/crypto/encrypt-secret.js'
import { INSTANCE_SETTINGS, type InstanceSettings, mapSettings, SETTING_NAMES } from '../shared/instance-settings.js'

const DEFAULTS = mapSettings(SETTING_NAMES, (name) => INSTANCE_SETTINGS[name].default) as InstanceSettings

const aName = () => `n${randomBytes(6).toString('hex')}`

onOneStorage((site) => {
  const set = (settings: Partial<InstanceSettings>, headers: Record<string, string>) =>
    site.call('PUT', '/admin/settings', headers, settings)
  const asBoss = async () => site.app.as(await site.app.signUp({ role: 'admin' }))
  const byToken = async (user: TestUser, scheme: 'Basic' | 'Bearer') => {
    const token = await site.app.tokenOf(user)
    return { Authorization: `${scheme} ${scheme === 'Basic' ? Buffer.from(`${token}:`).toString('base64') : token}` }
  }

  test('V16.3.1: administrators read and change settings, and each change is in the audit log', async () => {
    const boss = await asBoss()
    expect((await site.call('GET', '/admin/settings', boss).expect(200)).body).toEqual(DEFAULTS)
    const changed = { ...DEFAULTS, read_only: true, restrict_organization_email: 'good.com,other.org' }
    const wish = { read_only: true, restrict_organization_email: ' Good.com, other.org,good.com' }
    expect((await set(wish, boss).expect(200)).body).toEqual(changed)
    expect((await set({}, boss).expect(200)).body).toEqual(changed)
    expect((await site.call('GET', '/admin/settings', boss).expect(200)).body).toEqual(changed)
    const { body } = await site.call('GET', '/settings').expect(200)
    expect(body).toMatchObject({ read_only: true, disable_users: false, organizationEmail: true })
    expect(JSON.stringify(body)).not.toContain('good.com')
    await set({ restrict_organization_email: '' }, boss).expect(200)
    await site.app.audit.flush()
    const entries = await site.app.storage.audit.list({ action: 'settings.changed' }, { skip: 0, take: 9 })
    expect(entries.map(({ subject, detail }) => [subject, detail.from, detail.to]).reverse()).toEqual([
      ['read_only', false, true],
      ['restrict_organization_email', '', 'good.com,other.org'],
      ['restrict_organization_email', 'good.com,other.org', ''],
    ])
  })

  test.each([
    '@good.com',
    'good',
    'good.com,',
    'a@good.com',
    'good..com',
    '-good.com',
    'gööd.com',
    'good.com;x.org',
    '127.0.0.1',
    'a.b c.d',
    '.',
    'x'.repeat(3000),
  ])('restrict_organization_email: %j is refused', async (restrict_organization_email) => {
    const { body } = await set({ restrict_organization_email }, await asBoss()).expect(400)
    expect(body).toMatchObject({ code: 'request.invalid', field: 'restrict_organization_email' })
  })

  test.each([
    ['read_only', 'true'],
    ['who_can_create', 'nobody'],
    ['who_can_create', true],
    ['disable_users', 1],
    ['disable_file_upload', null],
    ['restrict_organization_email', 5],
    ['restrict_organization_email', ['good.com']],
    ['unknown', true],
    ['constructor', {}],
  ])('SEC-09: %s: %j is refused', async (field, value) => {
    const boss = { ...(await asBoss()), 'Content-Type': 'application/json' }
    const before = await site.app.storage.settings.getAll()
    const { body } = await site
      .call('PUT', '/admin/settings', boss, `{"${field}":${JSON.stringify(value)}}`)
      .expect(400)
    expect(body.field).toBe(field)
    expect(await site.app.storage.settings.getAll()).toEqual(before)
  })

  test('a change applies at once in its own process and within two seconds in others', async () => {
    const { storage, clock } = site.app
    const other = createSettings({
      storage,
      audit: { note: async () => {} },
      canVerifyEmail: false,
      providers: () => [],
      definitions: [],
      onChange() {},
      now: () => clock.now,
    })
    const seen = async () => (await other.current()).read_only
    expect(await seen()).toBe(false)
    await set({ read_only: true }, await asBoss()).expect(200)
    expect((await site.call('GET', '/settings').expect(200)).body.read_only).toBe(true)
    expect((await site.call('POST', '/secret', {}, { text: '☃', ttl: 60 }).expect(403)).body.code).toBe(
      'settings.read_only',
    )
    clock.now += 2000
    expect(await seen()).toBe(true)
  })

  test('who_can_create decides who creates secrets of every kind and uploads files', async () => {
    const [user, boss] = [await site.app.as(await site.app.signUp()), await asBoss()]
    const sealed = (await encryptSecret({ text: new TextEncoder().encode('☃'), ttl: 60 })).body
    const creates: [path: string, body: object][] = [
      ['/secret', { text: '☃', ttl: 60 }],
      ['/secret', { text: '☃', ttl: 60, isPublic: true }],
      ['/secret', sealed],
      ['/files', { size: 9, parts: 1 }],
    ]
    for (const [who_can_create, codes] of [
      ['admins', ['settings.admins_only', 'settings.admins_only', undefined]],
      ['users', ['settings.users_only', undefined, undefined]],
      ['anyone', [undefined, undefined, undefined]],
    ] as const) {
      await set({ who_can_create }, boss).expect(200)
      for (const [index, headers] of [{}, user, boss].entries()) {
        const code = codes[index]
        for (const [path, body] of creates) {
          const response = await site.call('POST', path, headers, body)
          expect([path, response.status, response.body.code]).toEqual([path, code ? 403 : 201, code])
        }
        const { body } = await site.call('GET', '/settings', headers).expect(200)
        expect(body).toMatchObject({ who_can_create, canCreate: code === undefined, uploads: code === undefined })
      }
    }
    await site.app.audit.flush()
    const [entry] = await site.app.storage.audit.list({ action: 'settings.changed' }, { skip: 0, take: 1 })
    expect(entry).toMatchObject({ subject: 'who_can_create', detail: { from: 'users', to: 'anyone' } })
  })

  test('disable_users and read_only stop users, not administrators', async () => {
    const [user, boss] = [await site.app.signUp(), await site.app.signUp({ role: 'admin' })]
    const everyWay = async (who: TestUser) => [
      await site.app.as(who),
      await byToken(who, 'Basic'),
      await byToken(who, 'Bearer'),
    ]
    const [theirs, ours] = [await everyWay(user), await everyWay(boss)]
    const all = { ...DEFAULTS, read_only: true, disable_users: true, disable_user_account_creation: true }
    await set(all, ours[0] as Record<string, string>).expect(200)
    for (const headers of ours) {
      await site.call('GET', '/account', headers).expect(200)
      const { body } = await site.call('POST', '/secret', headers, { text: '☃', ttl: 60 }).expect(201)
      await site.call('POST', `/secret/${body.id}/burn`, headers, {}).expect(200)
      expect((await site.call('POST', '/files', headers, { size: 9, parts: 1 })).status).toBe(201)
      const user = { username: aName(), email: `${aName()}@example.org`, password: 'long enough ☃' }
      // Only a session sets an initial password.
      await site.call('POST', '/admin/users', headers, user).expect(headers === ours[0] ? 201 : 403)
    }
    const secret = await createSecret(site.app, { text: '☃', ttl: 60 }, { ...anonymous(null), role: 'admin' })
    for (const headers of theirs) {
      for (const path of ['/account', '/secret', '/authentication/verify', '/account/tokens']) {
        expect((await site.call('GET', path, headers).expect(403)).body.code, path).toBe('auth.users_disabled')
      }
      const made = await site.call('POST', '/secret', headers, { text: '☃', ttl: 60 }).expect(403)
      expect(made.body.code).toBe('auth.users_disabled')
      // As readers of a link they count as visitors.
      await site.call('GET', `/secret/${secret.id}/exist`, headers).expect(200)
    }
  })
})
