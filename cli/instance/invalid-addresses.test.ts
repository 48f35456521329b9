/**
 * Settings that no start can use exit with 2, and addresses with a password are never shown, however they are written.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '#test/run-cli'

let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'mayfly-addresses-'))
})
afterAll(() => rm(cwd, { recursive: true }))

const BARE = { MAYFLY_PLUGINS: ',', MAYFLY_FILES: '' }

test.each<[string, Record<string, string>, RegExp]>([
  ['mail without a sender', { MAYFLY_PLUGINS: 'smtp' }, /set smtp\.from/],
  ['webhook without secrets', { MAYFLY_PLUGINS: 'webhook', MAYFLY_WEBHOOK_URL: 'https://h.example.org' }, /no secrets/],
  [
    'syslog with half a certificate',
    { MAYFLY_PLUGINS: 'audit-syslog', MAYFLY_AUDIT_SYSLOG_CERT_FILE: 'x' },
    /must be set together/,
  ],
  [
    'language that does not exist',
    { MAYFLY_PLUGINS: 'web', MAYFLY_WEB_FORCE_LANGUAGE: 'xx' },
    /unknown language|is not built/,
  ],
  ['logo that does not exist', { MAYFLY_PLUGINS: 'web', MAYFLY_WEB_LOGO_FILE: 'none.svg' }, /logoFile/],
  [
    'unknown parameter',
    { MAYFLY_DATABASE_URL: 'postgres://u:x@127.0.0.1:1/d?ä=1&sslmod=x' },
    /may not have the parameter; allowed are sslmode/,
  ],
  ['file of authorities', { MAYFLY_DATABASE_URL: 'mysql://u:x@h/d?ssl-ca=/none.pem' }, /could not be read \(ENOENT\)/],
  [
    'TLS both ways',
    { MAYFLY_DATABASE_URL: 'mysql://u:x@h/d?ssl-mode=disabled', MAYFLY_MYSQL_TLS: 'true' },
    /turns off TLS/,
  ],
])('serve exits with 2: %s', async (_, env, message) => {
  const { stderr, code } = await run(['serve', '--port', '0'], { cwd, env: { ...BARE, ...env } })
  expect(stderr).toMatch(message)
  // Without a build, the error is the missing web app instead of the setting.
  if (!/is not built/.test(stderr)) expect(code, stderr).toBe(2)
})

test.each(['serve', 'migrate', 'setup'])('%s shows no part of a password with an @ and a /', async (command) => {
  const env = { ...BARE, MAYFLY_DATABASE_URL: 'postgres://ops_user:p@hunter2/w@127.0.0.1/x' }
  const { stdout, stderr, code } = await run([command, ...(command === 'setup' ? ['--no-input'] : [])], { cwd, env })
  expect(`${stdout}${stderr}`).not.toMatch(/hunter|p@h|2\/w/)
  expect(stderr).toContain('must have the form postgres://user:password@host:port/database')
  expect(stderr).toContain('@ as %40')
  expect(code).toBe(2)
})

test('no output has a part of the password of an address', async () => {
  const characters = fc.constantFrom(...'Zq9%@/:#?&=[\\ "ä☃')
  const password = fc.string({ unit: characters, minLength: 3, maxLength: 16 })
  const setting = fc.constantFrom<[name: string, build: (password: string) => string]>(
    ['MAYFLY_DATABASE_URL', (secret) => `postgres://u:${secret}@127.0.0.1:1/d`],
    ['MAYFLY_DATABASE_URL', (secret) => `mariadb://u:${secret}@127.0.0.1:1/d?charset=utf8mb4`],
    ['MAYFLY_REDIS_URL', (secret) => `redis://u:${secret}@127.0.0.1:1/0`],
    ['MAYFLY_S3_ENDPOINT', (secret) => `https://u:${secret}@s3.example.org`],
    ['MAYFLY_SMTP_HOST', (secret) => `u:${secret}@mail.example.org`],
  )
  const command = fc.constantFrom<string[]>(['migrate', 'status'], ['config', 'list'])
  const env = {
    MAYFLY_PLUGINS: 'smtp,redis',
    MAYFLY_FILES: 's3',
    MAYFLY_S3_BUCKET: 'bucket',
    MAYFLY_SMTP_FROM: 'a@b.org',
  }
  await writeFile(join(cwd, 'mayfly.config.json'), '{}')
  await fc.assert(
    fc.asyncProperty(password, setting, command, async (secret, [name, build], args) => {
      const shown = async (value: string) => {
        const { stdout, stderr } = await run(args, { cwd, env: { ...env, [name]: build(value) } })
        return `${stdout}${stderr}`
      }
      const found = await shown(`Zq9${secret}`)
      const usual = `${await shown('benign')}${await shown('be@ni/gn#')}`
      for (let at = 0; at + 3 <= secret.length; at++) {
        const part = secret.slice(at, at + 3)
        if (!usual.includes(part)) expect(found).not.toContain(part)
      }
      expect(found).not.toContain('Zq9')
    }),
    { numRuns: 40 },
  )
}, 60_000)
