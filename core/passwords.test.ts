import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.js'

test('a password is recognised in every Unicode normal form, and no other is', async () => {
  const phc = await hashPassword('sésame ☃')
  expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(phc, 'se\u0301same ☃')).toBe(true)
  expect(await verifyPassword(phc, 'sesame ☃')).toBe(false)
})

test('two hashes of one password differ', async () => {
  expect(await hashPassword('x')).not.toBe(await hashPassword('x'))
})

test('the queue is bounded, and works on after it was full', async () => {
  const results = await Promise.allSettled(Array.from({ length: 80 }, () => hashPassword('x')))
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(80 - 66)
  expect(refused[0]).toMatchObject({ reason: { code: 'server.busy', details: { retryAfter: 1 } } })
  await expect(hashPassword('x')).resolves.toBeDefined()
})
