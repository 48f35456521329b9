import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MYSQL_URLS } from '#plugins/mysql/url-dialect'
import { POSTGRES_URLS } from '#plugins/postgres/url-dialect'
import { addressOf, serverOptions } from './server-options.js'
import { parseServerUrl } from './server-url.js'

const read = (url: string, more: object = {}) =>
  addressOf(serverOptions(POSTGRES_URLS).parse({ url, ...more }), POSTGRES_URLS, 5432)

test.each([
  ['postgres://mayfly:x@db.example.org/mayfly', {}, true],
  ['postgres://mayfly:x@10.0.0.1/mayfly?sslmode=disable', {}, true],
  ['postgres://mayfly:x@db.example.org/mayfly', { tls: true }, false],
  ['postgres://mayfly:x@db.example.org/mayfly?sslmode=require', {}, false],
  ['postgres://mayfly:x@localhost/mayfly', {}, false],
  ['postgres://mayfly:x@[::1]/mayfly', {}, false],
  ['postgres://mayfly:x@db.example.org/mayfly?host=/var/run/postgresql', {}, false],
])('V12.2.1: %s with %j is unencrypted: %s', async (url, more, isUnencrypted) => {
  expect(await read(url, more)).toMatchObject({ isUnencrypted })
})

describe('URLs of providers are accepted as pasted', () => {
  test.each([
    'postgresql://ä%40:npg_x1@ep-cool-1-pooler.eu-central-1.aws.neon.tech/neondb?sslmode=require&channel_binding=require',
    'postgres://u:x@ep-cool-1.neon.tech/db?options=endpoint%3Dep-cool-1&sslmode=verify-full&sslrootcert=system',
    'postgresql://postgres.ref:x@aws-0-eu.pooler.supabase.com:6543/postgres?pgbouncer=true&supa=base-pooler.x&connect_timeout=15',
    'postgres://doadmin:x@db-do-user-1-0.b.db.ondigitalocean.com:25060/defaultdb?sslmode=require',
    'postgres://u:x@h.compute-1.amazonaws.com:5432/d?application_name=x&target_session_attrs=read-write&schema=mayfly',
    'postgres://u:x@h/d?ssl=true&keepalives_idle=30&gssencmode=disable&client_encoding=utf8',
    ...['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'].map(
      (mode) => `postgres://u@h/d?sslmode=${mode}`,
    ),
  ])('%s', (url) => {
    expect(parseServerUrl(url, POSTGRES_URLS)).toMatchObject({ host: expect.any(String) })
  })

  test.each([
    'mysql://avnadmin:x@mysql-1.aivencloud.com:12345/defaultdb?ssl-mode=REQUIRED',
    'mysql://u:x@aws.connect.psdb.cloud/db?ssl={"rejectUnauthorized":true}',
    'mysql://u:x@aws.connect.psdb.cloud/db?sslaccept=strict',
    'mysql://u:x@h/db?charset=utf8mb4&ssl-ca=%2Fetc%2Fca.pem&ssl-mode=VERIFY_CA&parseTime=true',
    'mariadb://u:x@h/db?useSSL=true',
  ])('%s', (url) => {
    expect(parseServerUrl(url, MYSQL_URLS)).toMatchObject({ host: expect.any(String) })
  })
})

test('parameters become parts of the address', async () => {
  const address = await read('postgres://u:p%40%2F%25@[::1]:6543/d%C3%A4?sslmode=prefer&schema=m&sslrootcert=system')
  expect(address).toMatchObject({
    user: 'u',
    password: 'p@/%',
    host: '::1',
    port: 6543,
    database: 'dä',
    ca: null,
    tls: { ca: null },
    isTlsOptional: true,
    location: '[::1]:6543/dä',
  })
  expect(address.parameters.get('schema')).toBe('m')
})

test.each([
  [
    'postgres://u:x@h/d?sslmod=require',
    /^may not have the parameter "sslmod"; allowed are sslmode, .*sslrootcert, .*options/,
  ],
  [
    'postgres://u:x@h/d?sslmode=maybe',
    /^has a value of sslmode that is not supported; use one of disable, .*verify-full$/,
  ],
  ['postgres://u:x@h/d?target_session_attrs=read-only', /^has a value of target_session_attrs/],
  ['postgres://u:x@h', /^does not name a database: must have the form postgres:/],
  ['postgres://u:x%zz@h/d', /^must have the form postgres:.* % as %25$/],
  ['mysql://u:x@h/d', /^must have the form/],
  ['postgres://u:x@a:5432,b:5432/d?target_session_attrs=read-write', /^may name one host only/],
  ['postgres://a,b/d', /^may name one host only/],
])('%s is refused', (url, problem) => {
  expect(parseServerUrl(url, POSTGRES_URLS)).toMatch(problem)
})

test('a file of authorities that cannot be read is an error of the settings', async () => {
  const failure = await read('postgres://u:x@h/d?sslrootcert=/nowhere/ä.pem').catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'OperatorError', isSetting: true, code: 'ENOENT' })
})

test('messages and locations never contain a part of a password, in any notation', async () => {
  const characters = fc.constantFrom(...'aZ09%@/:#?&=+[]\\ "\'\t<>^|ä☃')
  const password = fc.string({ unit: characters, minLength: 3, maxLength: 24 })
  const form = fc.constantFrom(
    (secret: string) => `postgres://u:${secret}@h:1/d`,
    (secret: string) => `postgres://u:${secret}@h:1/d?sslmode=require`,
    (secret: string) => `postgres://${secret}@h/d`,
  )
  await fc.assert(
    fc.asyncProperty(password, form, async (secret, build) => {
      const parsed = parseServerUrl(build(`Q7${secret}`), POSTGRES_URLS)
      const shown = typeof parsed === 'string' ? parsed : (await read(build(`Q7${secret}`))).location
      const benign = `${parseServerUrl('', POSTGRES_URLS)} h:1/d`
      for (let at = 0; at + 3 <= secret.length; at++) {
        const part = secret.slice(at, at + 3)
        if (!benign.includes(part)) expect(shown).not.toContain(part)
      }
      expect(shown).not.toContain('Q7')
    }),
    { numRuns: 500 },
  )
})
