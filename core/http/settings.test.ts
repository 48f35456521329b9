/** REL-18, SEC-11: the instance settings: changed by administrators, obeyed by everyone, and bypassed by nothing. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { forEachStorage, OWN_PAGE, type Site } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'
import { settingsService } from '../settings/service.js'
import type { InstanceSettings } from '../shared/api.js'

const DEFAULTS: InstanceSettings = {
  read_only: false,
  disable_users: false,
  disable_user_account_creation: false,
  disable_file_upload: false,
  restrict_organization_email: '',
}

/** The same call by addresses and bodies that might be taken for another one. */
const ADDRESSES: [name: string, (path: string) => string][] = [
  ['as it is', (path) => `/api/v1${path}`],
  ['by its older name', (path) => `/api${path}`],
  ['with a slash at the end', (path) => `/api/v1${path}/`],
  ['with two slashes', (path) => `/api/v1/${path}`],
  ['with two slashes at the beginning', (path) => `//api/v1${path}`],
  ['in capitals', (path) => `/api/v1${path.toUpperCase()}`],
  ['in capitals from the beginning', (path) => `/API/V1${path}`],
  ['with an encoded slash', (path) => `/api/v1${path.replace(/\/(?=[^/]*$)/, '%2F')}`],
  ['with an encoded letter', (path) => `/api/v1${path.replace('s', '%73').replace('f', '%66')}`],
  ['with a query', (path) => `/api/v1${path}?x=1`],
  ['with a dot', (path) => `/api/v1/.${path}`],
  ['with a parameter', (path) => `/api/v1${path};x=1`],
]
const TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']
const OVERRIDES = [
  {},
  { 'X-HTTP-Method-Override': 'GET' },
  { 'X-Method-Override': 'PUT' },
  { 'X-Original-URL': '/settings' },
]

interface Rule {
  settings: Partial<InstanceSettings>
  code: string
  path: string
  /** What would succeed without the setting. */
  body(site: Site): Promise<object> | object
}

const aName = () => `n${randomBytes(6).toString('hex')}`
const newcomer = (domain: string) => {
  const username = aName()
  return { username, email: `${username}@${domain}`, password: 'long enough ☃' }
}

const RULES: Rule[] = [
  {
    settings: { read_only: true },
    code: 'settings.read_only',
    path: '/secret',
    body: () => ({ text: '☃', ttl: 60 }),
  },
  {
    settings: { read_only: true },
    code: 'settings.read_only',
    path: '/files',
    body: () => ({ size: 9, parts: 1 }),
  },
  {
    settings: { disable_file_upload: true },
    code: 'settings.uploads_disabled',
    path: '/files',
    body: () => ({ size: 9, parts: 1 }),
  },
  {
    settings: { disable_file_upload: true },
    code: 'settings.uploads_disabled',
    path: '/secret',
    body: () => ({ text: '☃', ttl: 60, files: [{ name: 'a', content: 'YQ==' }] }),
  },
  {
    settings: { disable_user_account_creation: true },
    code: 'auth.sign_up_disabled',
    path: '/authentication/signup',
    body: () => newcomer('example.org'),
  },
  {
    settings: { disable_users: true },
    code: 'auth.users_disabled',
    path: '/authentication/signup',
    body: () => newcomer('example.org'),
  },
  {
    settings: { disable_users: true },
    code: 'auth.users_disabled',
    path: '/authentication/signin',
    async body({ app }) {
      const { username, password } = await app.signUp()
      return { username, password }
    },
  },
  {
    settings: { restrict_organization_email: 'good.com' },
    code: 'auth.email_domain',
    path: '/authentication/signup',
    body: () => newcomer('example.org'),
  },
]

forEachStorage(
  (site) => {
    const set = (settings: Partial<InstanceSettings>, headers: Record<string, string>) =>
      site.call('PUT', '/admin/settings', headers, settings)
    const asBoss = async () => site.app.as(await site.app.signUp({ role: 'admin' }))
    const byToken = async (user: TestUser, scheme: 'Basic' | 'Bearer') => {
      const token = await site.app.tokenOf(user)
      return { Authorization: `${scheme} ${scheme === 'Basic' ? Buffer.from(`${token}:`).toString('base64') : token}` }
    }

    const byProxy = async () => {
      const vouched = { 'X-Company-Identity': JSON.stringify(anOutsider()) }
      await site.call('GET', '/account', vouched).expect(200)
      return vouched
    }

    test('are told to administrators, changed one by one, and noted', async () => {
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
      await site.app.services.audit.flush()
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
    ])('refuse %j as a domain', async (restrict_organization_email) => {
      const { body } = await set({ restrict_organization_email }, await asBoss()).expect(400)
      expect(body).toMatchObject({ code: 'request.invalid', field: 'restrict_organization_email' })
    })

    test.each([
      ['read_only', 'true'],
      ['disable_users', 1],
      ['disable_file_upload', null],
      ['restrict_organization_email', 5],
      ['restrict_organization_email', ['good.com']],
      ['unknown', true],
      ['constructor', {}],
    ])('refuse %s: %j', async (field, value) => {
      const boss = { ...(await asBoss()), 'Content-Type': 'application/json' }
      const before = await site.app.storage.settings.all()
      const { body } = await site
        .call('PUT', '/admin/settings', boss, `{"${field}":${JSON.stringify(value)}}`)
        .expect(400)
      expect(body.field).toBe(field)
      expect(await site.app.storage.settings.all()).toEqual(before)
    })

    test('are obeyed by every process within two seconds, and by this one at once', async () => {
      const { storage, clock } = site.app
      const other = settingsService({ store: storage.settings, audit: async () => {}, now: () => clock.now })
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

    test.each(RULES)('$settings holds at $path, however it is asked', async ({ settings, code, path, body }) => {
      const [user, boss] = [await site.app.signUp(), await asBoss()]
      const ways: [string, Record<string, string>][] = [
        ['visitor', {}],
        ['cookie', await site.app.as(user)],
        ['Basic', await byToken(user, 'Basic')],
        ['Bearer', await byToken(user, 'Bearer')],
        ['proxy', await byProxy()],
      ]
      await set(settings, boss).expect(200)
      const passed: string[] = []
      let refused = 0
      for (const [who, headers] of ways) {
        for (const [where, address] of ADDRESSES) {
          const sent = await body(site)
          const { status, body: answer } = await site.call('POST', address(path), { ...OWN_PAGE, ...headers }, sent)
          if (answer?.code === code) refused++
          // Another address is no call at all; whoever may not come in is told so before.
          const isNothing = [404, 405].includes(status) || answer?.code === 'auth.users_disabled'
          if (answer?.code !== code && !isNothing) passed.push(`${who} ${where}: ${status} ${answer?.code}`)
        }
      }
      for (const type of TYPES) {
        for (const override of OVERRIDES) {
          const sent = JSON.stringify(await body(site))
          const headers = { ...OWN_PAGE, 'Content-Type': type, ...override }
          const { status, body: answer } = await site.call('POST', path, headers, sent)
          if (answer?.code !== code && status !== 415) passed.push(`${type} ${JSON.stringify(override)}: ${status}`)
        }
      }
      expect(passed).toEqual([])
      // It was reached by each way of saying who one is: as it is, by its older name, with a slash, with a query.
      expect(refused).toBeGreaterThanOrEqual(4 * ways.length)
    })

    test('stop users, not administrators', async () => {
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
        await site.call('POST', '/admin/users', headers, user).expect(201)
      }
      const secret = await site.app.services.secrets.create(
        { text: '☃', ttl: 60 },
        {
          ...{ userId: null, username: null, role: 'admin', scopes: [], sessionId: null, tokenId: null, address: null },
        },
      )
      for (const headers of theirs) {
        for (const path of ['/account', '/secret', '/authentication/verify', '/account/tokens']) {
          expect((await site.call('GET', path, headers).expect(403)).body.code, path).toBe('auth.users_disabled')
        }
        const made = await site.call('POST', '/secret', headers, { text: '☃', ttl: 60 }).expect(403)
        expect(made.body.code).toBe('auth.users_disabled')
        // As a reader of a link they are a visitor like any other.
        await site.call('GET', `/secret/${secret.id}/exist`, headers).expect(200)
      }
    })
  },
  { app: { auth: [fakeAuth()] } },
)
