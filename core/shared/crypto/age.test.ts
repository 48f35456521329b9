import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { Encrypter } from 'age-encryption'
import * as vectors from 'cctv-age'
import { describe, expect, test } from 'vitest'
import { runAge } from '#test/age-program'
import { tryAgeVectors } from '#test/age-vectors'
import { needs } from '#test/needs'
import { armorText, decrypt, encrypt, unarmorText } from './age.js'

const TEXT = utf8ToBytes('a line\nänd ☃\n')
const PASSPHRASE = 'zQEjeOPmVxsHb-0Mn5ioGHfJl0vqsJqsbiQKEjK-24A'

test('CRY-01: decrypt accepts and rejects the C2SP vectors as specified', async () => {
  const report = await tryAgeVectors(vectors)
  expect(report.wrong).toEqual([])
  expect(report.opened + report.refused).toBe(143)
  expect(report).toMatchObject({ opened: 2, rewrapped: 36 })
})

test.each([0, 1, 65_535, 65_536, 65_537, 5 * 2 ** 20])('CRY-03: %i bytes are decrypted unchanged', async (size) => {
  const bytes = new Uint8Array(size).map((_, at) => at * 31)
  const file = await encrypt(bytes, PASSPHRASE)
  expect(Buffer.compare(await decrypt(unarmorText(armorText(file), 2 ** 24), PASSPHRASE), bytes)).toBe(0)
})

test('CRY-04: decrypt rejects a changed byte at any position', async () => {
  const file = await encrypt(TEXT, PASSPHRASE)
  for (let at = 0; at < file.length; at++) {
    const changed = file.slice()
    changed[at] = (changed[at] as number) ^ 1
    await expect(decrypt(changed, PASSPHRASE), `byte ${at}`).rejects.toMatchObject({ name: 'DecryptError' })
  }
})

test('decrypt rejects another passphrase', async () => {
  await expect(decrypt(await encrypt(TEXT, PASSPHRASE), 'x')).rejects.toMatchObject({ problem: 'wrong-key' })
})

describe('CRY-08: hostile files are rejected before any work', () => {
  const header = (stanzas: string) => utf8ToBytes(`age-encryption.org/v1\n${stanzas}--- ${'A'.repeat(43)}\n`)
  const stanza = (logN: number) => `-> scrypt ${'A'.repeat(22)} ${logN}\n${'A'.repeat(43)}\n`
  const files: [string, () => Uint8Array | Promise<Uint8Array>][] = [
    ['a work factor of 20', () => header(stanza(20))],
    ['a work factor of 15', () => header(stanza(15))],
    ['two stanzas', () => header(stanza(1) + stanza(1))],
    ['a million stanzas', () => header(stanza(1).repeat(1_000_000))],
    ['no stanza', () => header('')],
    ['another recipient', () => header(`-> X25519 ${'A'.repeat(43)}\n${'A'.repeat(43)}\n`)],
    ['an endless line', () => new Uint8Array(64 * 2 ** 20).fill(0x41)],
    ['nothing', () => new Uint8Array()],
  ]
  test.each(files)('%s', async (_, make) => {
    const file = await make()
    const started = process.cpuUsage()
    await expect(decrypt(file, PASSPHRASE)).rejects.toMatchObject({ problem: 'hostile' })
    const { user, system } = process.cpuUsage(started)
    // A costly file must not freeze a page. The limit is 1000 times the needed time.
    expect((user + system) / 1000).toBeLessThan(50)
  })

  test('CRY-08: armor larger than the limit is not decoded', () => {
    expect(() => unarmorText('A'.repeat(1001), 1000)).toThrow(expect.objectContaining({ problem: 'too-large' }))
  })

  test('CRY-08: a file with work factor 15 is rejected, a file with 14 is accepted', async () => {
    const make = (logN: number) => {
      const encrypter = new Encrypter()
      encrypter.setPassphrase(PASSPHRASE)
      encrypter.setScryptWorkFactor(logN)
      return encrypter.encrypt(TEXT)
    }
    await expect(decrypt(await make(15), PASSPHRASE)).rejects.toMatchObject({ problem: 'hostile' })
    expect(await decrypt(await make(14), PASSPHRASE)).toEqual(TEXT)
  })
})

describe('the age program', needs('age'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-age-'))
  const path = (name: string) => join(folder, name)

  test('CRY-10: the age program decrypts our files', async () => {
    writeFileSync(path('ours.age'), armorText(await encrypt(TEXT, PASSPHRASE)))
    expect(runAge(`-d -o ${path('ours.txt')} ${path('ours.age')}`, PASSPHRASE)).toMatchObject({ status: 0 })
    expect(new Uint8Array(readFileSync(path('ours.txt')))).toEqual(TEXT)
  })

  test('the age program rejects another passphrase', async () => {
    writeFileSync(path('ours.age'), await encrypt(randomBytes(10), PASSPHRASE))
    expect(runAge(`-d -o ${path('none.txt')} ${path('ours.age')}`, 'another').status).not.toBe(0)
  })

  test('CRY-10: decrypt accepts files of the age program with logNMax 18', async () => {
    writeFileSync(path('plain.txt'), TEXT)
    expect(runAge(`-p -a -o ${path('theirs.age')} ${path('plain.txt')}`, PASSPHRASE)).toMatchObject({ status: 0 })
    const file = unarmorText(readFileSync(path('theirs.age'), 'utf8'), 10_000)
    await expect(decrypt(file, PASSPHRASE)).rejects.toMatchObject({ problem: 'hostile' })
    expect(await decrypt(file, PASSPHRASE, 18)).toEqual(TEXT)
  })
})
