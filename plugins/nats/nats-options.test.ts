import { expect, test } from 'vitest'
import { openPlugin } from '#core/testing'
import nats from './index.js'
import { options } from './nats-options.js'

test('the option servers accepts several servers', () => {
  const servers = ['nats://127.0.0.1:4222', 'tls://nats.internal', 'tls://[::1]:4222/']
  expect(options.parse({ servers: servers.join(',') }).servers).toEqual(servers)
})

test.each([
  [{ servers: 'nats://user:pässwort@host' }, 'servers'],
  [{ servers: 'http://host' }, 'servers'],
  [{ servers: 'nats://host/path' }, 'servers'],
  [{ servers: '127.0.0.1:4222' }, 'servers'],
  [{ subject: 'mayfly.>' }, 'subject'],
  [{ subject: 'a b' }, 'subject'],
  [{ stream: 'a.b' }, 'stream'],
  [{ events: 'secret.read' }, 'events'],
])('invalid options %j name the option', (given, option) => {
  const { error } = options.safeParse(given)
  expect(error?.issues[0]?.path[0]).toBe(option)
  expect(error?.message).not.toContain('pässwort')
})

test.each([
  [{ user: 'zoë', token: 't' }, 'only one of user, token and credsFile can be set'],
  [{ password: 'pässwort' }, 'password needs user'],
  [{ certFile: 'c' }, 'certFile and keyFile need each other'],
])('options that contradict each other stop the start: %j', async (given, message) => {
  await expect(openPlugin(nats, { options: given })).rejects.toThrow(message)
})
