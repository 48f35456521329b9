/** Every instance setting holds for every spelling of a path, content type, override header and way to authenticate. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onMemory, type Site } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'
import type { InstanceSettings } from '../shared/api/index.js'

/** The same request with paths and bodies that might bypass a check. */
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
  /** Requests that would succeed without the setting. */
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
    settings: { who_can_create: 'admins' },
    code: 'settings.admins_only',
    path: '/secret',
    body: () => ({ text: '☃', ttl: 60 }),
  },
  {
    settings: { who_can_create: 'admins' },
    code: 'settings.admins_only',
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

onMemory(
  (site) => {
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

    test.each(RULES)(
      'SEC-11: $settings holds at $path, for every caller and spelling of the request',
      async ({ settings, code, path, body }) => {
        const [user, boss] = [await site.app.signUp(), await asBoss()]
        const ways: [string, Record<string, string>][] = [
          ['visitor', {}],
          ['cookie', await site.app.as(user)],
          ['Basic', await byToken(user, 'Basic')],
          ['Bearer', await byToken(user, 'Bearer')],
          ['proxy', await byProxy()],
        ]
        await site.call('PUT', '/admin/settings', boss, settings).expect(200)
        const passed: string[] = []
        let refused = 0
        for (const [who, headers] of ways) {
          for (const [where, address] of ADDRESSES) {
            const sent = await body(site)
            const { status, body: response } = await site.call('POST', address(path), { ...OWN_PAGE, ...headers }, sent)
            if (response?.code === code) refused++
            // Another path is not a route, and an unknown query is invalid; a caller without permission is refused
            // before.
            const isNothing = [400, 404, 405].includes(status) || response?.code === 'auth.users_disabled'
            if (response?.code !== code && !isNothing) passed.push(`${who} ${where}: ${status} ${response?.code}`)
          }
        }
        for (const type of TYPES) {
          for (const override of OVERRIDES) {
            const sent = JSON.stringify(await body(site))
            const headers = { ...OWN_PAGE, 'Content-Type': type, ...override }
            const { status, body: response } = await site.call('POST', path, headers, sent)
            if (response?.code !== code && status !== 415) passed.push(`${type} ${JSON.stringify(override)}: ${status}`)
          }
        }
        expect(passed).toEqual([])
        // Each kind of credentials reached the route at its path, at its alias, and with a slash.
        expect(refused).toBeGreaterThanOrEqual(3 * ways.length)
      },
    )
  },
  { app: { auth: [fakeAuth()] } },
)
