import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Plugin } from '#core'
import { freePort } from '#core/runtime'
import { builtIns } from '#plugins'
import { startMailServer } from '#test/mail-server'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { findMailHint } from '../../output/mail-hints.js'
import { checkPlugins } from './plugin-checks.js'

async function check(name: keyof typeof builtIns, dataDir: string, options: object = {}) {
  const plugin = (await builtIns[name]()).default as unknown as Plugin
  const settings = { dataDir, publicUrl: 'https://secrets.example.org' }
  const plugins = [{ plugin, options: plugin.options.parse(options) }]
  return checkPlugins({ settings, plugins } as unknown as InstanceConfig)
}

test('doctor checks the configured audit sinks and says why one cannot be written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-doctor-'))
  try {
    expect(await check('audit-file', folder)).toMatchObject([{ level: 'ok', check: 'audit-file' }])
    expect(await readdir(folder)).toEqual([])
    await writeFile(join(folder, 'a-file'), '')
    const [fault] = await check('audit-file', folder, { file: 'a-file/audit.ndjson' })
    expect(fault).toMatchObject({ level: 'fail', message: 'audit entries cannot be written: ENOTDIR' })
    const [refused] = await check('audit-syslog', folder, { url: `tcp://127.0.0.1:${await freePort()}` })
    expect(refused).toMatchObject({ level: 'fail', message: 'audit entries cannot be written: ECONNREFUSED' })
    expect(refused?.fix).toContain('docs/audit-sinks.md')
    expect(await check('tombstones', folder)).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})

const checkMail = (options: object) => check('smtp', '/', { host: '127.0.0.1', ...options })

test('doctor connects to the mail server and says why it cannot', async () => {
  const from = 'mayfly@example.org'
  const { port, close } = await startMailServer()
  try {
    expect(await checkMail({ port, from })).toMatchObject([{ level: 'ok', check: 'smtp' }])
  } finally {
    await close()
  }
  const [refused] = await checkMail({ port: await freePort(), from })
  expect(refused).toMatchObject({ level: 'fail', section: 'config' })
  expect(refused).toMatchObject({
    message: expect.stringContaining('ECONNREFUSED'),
    fix: expect.stringContaining('smtp.port'),
  })
  expect(await checkMail({ port })).toMatchObject([{ level: 'fail', message: expect.stringContaining('smtp.from') }])
})

test.each([
  ['self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)', 'NODE_EXTRA_CA_CERTS'],
  ['certificate for another host name (ERR_TLS_CERT_ALTNAME_INVALID)', 'smtp.host'],
  ['no STARTTLS (SMTP 502)', 'smtp.tls=implicit'],
  ['sign-in refused (SMTP 535)', 'smtp.password'],
  ['sender refused (SMTP 553)', 'smtp.from'],
  ['recipient refused for now (SMTP 450)', 'greylisting'],
  ['recipient refused (SMTP 550)', 'relays'],
])('the fix of %j names %s', (result, fix) => {
  expect(findMailHint(result)).toContain(fix)
})

test('doctor tells a missing STARTTLS from a refused sign-in', async () => {
  const from = 'mayfly@example.org'
  const { port, close } = await startMailServer({
    allowInsecureAuth: true,
    onAuth: (_, __, done) => done(new Error('no, hunter2')),
  })
  try {
    expect(await checkMail({ port, from, tls: 'starttls' })).toMatchObject([
      { message: expect.stringContaining('no STARTTLS'), fix: expect.stringContaining('smtp.tls=implicit') },
    ])
    expect(await checkMail({ port, from, user: 'mayfly', password: 'hunter2' })).toMatchObject([
      { message: expect.stringContaining('sign-in refused'), fix: expect.stringContaining('smtp.password') },
    ])
  } finally {
    await close()
  }
})
