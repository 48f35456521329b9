import { expect, test } from 'vitest'
import type { Plugin } from '#core'
import { freePort } from '#core/runtime'
import { builtIns } from '#plugins'
import { startMailServer } from '#test/mail-server'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { findMailHint } from '../../output/mail-hints.js'
import { checkNotifiers } from './notifier-checks.js'

async function check(given: object) {
  const plugin = (await builtIns.smtp()).default as unknown as Plugin
  const options = plugin.options.parse({ host: '127.0.0.1', ...given })
  const settings = { dataDir: '/', publicUrl: '' }
  return checkNotifiers({ settings, plugins: [{ plugin, options }] } as unknown as InstanceConfig)
}

test('doctor connects to the mail server and says why it cannot', async () => {
  const from = 'mayfly@example.org'
  const { port, close } = await startMailServer()
  try {
    expect(await check({ port, from })).toMatchObject([{ level: 'ok', check: 'smtp' }])
  } finally {
    await close()
  }
  const [refused] = await check({ port: await freePort(), from })
  expect(refused).toMatchObject({ level: 'fail', section: 'config' })
  expect(refused).toMatchObject({
    message: expect.stringContaining('ECONNREFUSED'),
    fix: expect.stringContaining('smtp.port'),
  })
  expect(await check({ port })).toMatchObject([{ level: 'fail', message: expect.stringContaining('smtp.from') }])
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
    expect(await check({ port, from, tls: 'starttls' })).toMatchObject([
      { message: expect.stringContaining('no STARTTLS'), fix: expect.stringContaining('smtp.tls=implicit') },
    ])
    expect(await check({ port, from, user: 'mayfly', password: 'hunter2' })).toMatchObject([
      { message: expect.stringContaining('sign-in refused'), fix: expect.stringContaining('smtp.password') },
    ])
  } finally {
    await close()
  }
})
