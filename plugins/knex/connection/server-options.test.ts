import { expect, test } from 'vitest'
import { addressOf, serverOptions } from './server-options.js'

test.each([
  ['postgres://mayfly:x@db.example.org/mayfly', {}, true],
  ['postgres://mayfly:x@10.0.0.1/mayfly?sslmode=disable', {}, true],
  ['postgres://mayfly:x@db.example.org/mayfly', { tls: true }, false],
  ['postgres://mayfly:x@db.example.org/mayfly?sslmode=require', {}, false],
  ['postgres://mayfly:x@localhost/mayfly', {}, false],
  ['postgres://mayfly:x@[::1]/mayfly', {}, false],
  ['postgres://mayfly:x@db.example.org/mayfly?host=/var/run/postgresql', {}, false],
])('%s with %j is unencrypted: %s', async (url, more, isUnencrypted) => {
  const options = serverOptions('postgres').parse({ url, ...more })
  expect(await addressOf(options, 5432)).toMatchObject({ isUnencrypted })
})
