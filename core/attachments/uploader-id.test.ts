import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { memory } from '#test/memory-plugin'
import { testApp } from '#test/test-app'
import { anonymous, toAuthContext } from '../contracts/auth-context.js'
import { reserveUpload } from './reserve-upload.js'
import { deriveUploaderId } from './uploader-id.js'

const key = Buffer.alloc(32, 1)
const of = (address: string | null, by = key) => deriveUploaderId(anonymous(address), by)

test('uploads count by user, submissions to requests separately, or by network for visitors', () => {
  const user = { userId: 'a', address: '203.0.113.1' }
  expect(deriveUploaderId(user, key)).toBe(deriveUploaderId({ ...user, address: null }, key))
  expect(of('2001:db8::1')).toBe(of('2001:db8::2'))
  expect(of(null)).toBe(of(null))
  const all = [
    deriveUploaderId(user, key),
    deriveUploaderId({ ...user, userId: 'b' }, key),
    deriveUploaderId(user, key, 'requests'),
    of('203.0.113.1'),
    of('203.0.113.2'),
  ]
  expect(new Set([...all, of(null), of('2001:db8::1')]).size).toBe(7)
})

test('the uploader hash is keyed per instance', async () => {
  expect(of('203.0.113.1', Buffer.alloc(32, 2))).not.toBe(of('203.0.113.1'))
  const hashes = []
  for (const _ of ['one', 'another']) {
    const app = await testApp(memory, { files: memory })
    const user = toAuthContext(await app.signUp({ id: 'a user ☃' }), { address: null })
    for (const caller of [anonymous('203.0.113.1'), user]) {
      const { id } = await reserveUpload(app, { size: 9, parts: 1 }, caller)
      const { uploader = '' } = (await app.storage.attachments.find(id, app.clock.now)) ?? {}
      hashes.push(uploader)
    }
    await app.close()
  }
  expect(new Set(hashes).size).toBe(4)
  const unkeyed = ['["mayfly/v1/uploader","visitor","203.0.113.1"]', '["mayfly/v1/uploader","user","a user ☃"]']
  for (const text of unkeyed) expect(hashes).not.toContain(createHash('sha256').update(text).digest('hex'))
})
