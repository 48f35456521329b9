import { expect, test } from 'vitest'
import { passwordHasher, verifyPassword } from './password-hash.js'

const { hash } = passwordHasher()

test('V6.2.6: a password matches its hash in every Unicode normal form', async () => {
  const phc = await hash('sésame ☃')
  expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(phc, 'se\u0301same ☃')).toBe(true)
  expect(await verifyPassword(phc, 'sesame ☃')).toBe(false)
})

test('two hashes of the same password differ', async () => {
  expect(await hash('x')).not.toBe(await hash('x'))
})

test('V15.1.3: hashing fails with server.busy while the queue is full and works again afterwards', async () => {
  const cheap = passwordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 })
  const results = await Promise.allSettled(Array.from({ length: 80 }, () => cheap.hash('x')))
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(80 - 66)
  expect(refused[0]).toMatchObject({ reason: { code: 'server.busy', details: { retryAfter: 1 } } })
  await expect(cheap.hash('x')).resolves.toBeDefined()
})
