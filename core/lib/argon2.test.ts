import native from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { chooseArgon2, findBuiltInArgon2 } from './argon2.js'
import { HASH_COST } from './password-hash.js'

/** On Node.js 24.7 and newer also the implementation of Node.js. */
const IMPLEMENTATIONS = [native, findBuiltInArgon2()].filter((each) => each !== null)

test('hashes of each implementation are verified by the others', async () => {
  for (const { hash } of IMPLEMENTATIONS) {
    const phc = await hash('sésame ☃', HASH_COST)
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await hash('sésame ☃', HASH_COST)).not.toBe(phc)
    for (const { verify } of IMPLEMENTATIONS) {
      expect(await verify(phc, 'sésame ☃')).toBe(true)
      expect(await verify(phc, 'sesame ☃')).toBe(false)
    }
  }
})

test('verify throws for a hash of another kind', async () => {
  for (const { verify } of IMPLEMENTATIONS) await expect(verify('hunter2', 'hunter2')).rejects.toThrow()
})

test('without the native module, the implementation of Node.js is used if there is one', async () => {
  const missing = chooseArgon2(() => Promise.reject(new Error('no binary')))
  if (findBuiltInArgon2()) expect(await (await missing).verify(await native.hash('x'), 'x')).toBe(true)
  else await expect(missing).rejects.toThrow('no binary')
  expect(await chooseArgon2(async () => native)).toBe(native)
})
