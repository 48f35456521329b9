/**
 * CRY-06. A thief of the database without the link cannot test passwords: no stored value can be computed from the
 * password and the other stored values. With the link it can, which proves that the test works.
 */

import { createHash, createHmac, hkdfSync, pbkdf2Sync, scryptSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase, tablesOf } from '#test/databases'
import { type TestApp, testApp } from '#test/test-app'
import { anonymous } from '../contracts/auth-context.js'
import { storedProof } from '../lib/stored-proof.js'
import { encryptSecret } from '../shared/crypto/encrypt-secret.js'
import { deriveKeys, newClaim } from '../shared/crypto/keys.js'
import { parseFragment } from '../shared/link.js'
import { createSecret } from './create-secret.js'
import { viewSecret } from './view-secret.js'

const PASSWORD = 'correct horse ☃'

let database: TestDatabase
let app: TestApp
beforeAll(async () => {
  database = await makeDatabase('sqlite')
  app = await testApp(database.storage)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

/** Every stored value as bytes: the text itself, and the text decoded from hex and base64url. */
async function dump(): Promise<Buffer[]> {
  const tables = await tablesOf('sqlite', database.db)
  const rows = (await Promise.all(tables.map((table) => database.db(table).select('*')))).flat()
  const values = rows.flatMap((row) => Object.values(row)).filter((value) => value !== null)
  return values.flatMap((value) => {
    const text = Buffer.isBuffer(value) ? value.toString('latin1') : String(value)
    const words = [text, ...(text.match(/[\w+/-]{16,}/g) ?? [])]
    return words.flatMap((word) => [Buffer.from(word), Buffer.from(word, 'hex'), Buffer.from(word, 'base64url')])
  })
}

/** Values that a thief can compute from a password and any stored value as salt, key or prefix. */
function guesses(password: Buffer, stored: Buffer[]): Set<string> {
  const salts = [
    ...new Set(['', 'mayfly/v1/store', 'mayfly/v1/password', ...stored.map((value) => value.toString('latin1'))]),
  ]
  const fast = salts.map((salt) => Buffer.from(salt, 'latin1')).filter((salt) => salt.length <= 64)
  const slow = fast.filter((salt) => salt.length >= 8 && salt.length <= 32).slice(0, 20)
  const sha256 = (...parts: (Buffer | string)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
  const direct = fast.flatMap((salt) => [
    sha256(salt, password),
    sha256(password, salt),
    createHmac('sha256', salt).update(password).digest(),
    createHmac('sha256', password).update(salt).digest(),
    Buffer.from(hkdfSync('sha256', password, salt, 'mayfly/v1/password', 32)),
    Buffer.from(hkdfSync('sha256', password, salt, 'mayfly/v1/age', 32)),
  ])
  const stretched = slow.flatMap((salt) => [
    scryptSync(password, salt, 32, { N: 2 ** 8, r: 8, p: 3 }),
    pbkdf2Sync(password, salt, 100, 32, 'sha256'),
  ])
  const all = [...direct, ...stretched]
  return new Set(
    [...all, ...all.map((value) => sha256('mayfly/v1/store', value)), ...all.map((value) => sha256(value))].map(hex),
  )
}

const hex = (bytes: Buffer | Uint8Array) => Buffer.from(bytes).toString('hex')

test('CRY-06: the password of a sealed secret cannot be tested with the database alone', async () => {
  const made = await encryptSecret({ text: Buffer.from('text ☃'), ttl: 600, password: PASSWORD, maxViews: 3 })
  const { id } = await createSecret(app, made.body, anonymous(null))
  const { access, passwordProof } = await deriveKeys(parseFragment(made.fragment), PASSWORD)
  const proofs = { access, password: passwordProof as string }
  await viewSecret(app, id, { ...proofs, claim: newClaim() }, anonymous(null))
  const stored = await dump()
  const found = new Set(stored.map(hex))
  // With the link, the stored hash of the password proof is known, and it is in the database.
  expect(found.has(storedProof(passwordProof as string))).toBe(true)
  const matches = [...guesses(Buffer.from(PASSWORD), stored)].filter((guess) => found.has(guess))
  expect(matches).toEqual([])
})

test('CRY-06: a value that depends on the password alone would be found', async () => {
  const stored = [
    createHmac('sha256', Buffer.from('salt of sixteen b')).update(PASSWORD).digest(),
    Buffer.from('salt of sixteen b'),
  ]
  expect([...guesses(Buffer.from(PASSWORD), stored)]).toContain(hex(stored[0] as Buffer))
})
