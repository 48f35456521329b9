import { expect, test } from 'vitest'
import type { Plugin } from '#core'
import { freePort } from '#core/runtime'
import { builtIns } from '#plugins'
import { startMailServer } from '#test/mail-server'
import type { InstanceConfig } from '../../instance/instance-config.js'
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
  expect(refused?.fix).toContain('docs/mail.md')
  expect(await check({ port })).toMatchObject([{ level: 'fail', message: expect.stringContaining('smtp.from') }])
})
