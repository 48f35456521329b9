/** Files that one implementation makes are opened by the others: native, JavaScript, Node.js and the age program. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encrypt } from '#shared/crypto/age'
import { decryptWith, encryptTo } from '#shared/crypto/age-recipient'
import { deriveCollectKeys } from '#shared/crypto/request-keys'
import { createRequestKeys, type RequestKeys } from '#shared/crypto/submission'
import { runAge } from '#test/age-program'
import { type BrowserFixture, INSECURE_HOST, startBrowserFixture } from '#test/browser/browser-fixture'
import { withoutAlgorithms } from '#test/browser/crypto-paths'
import { createTestRequest, openRequestPage } from '#test/browser/requests'
import { type PageOptions, runInChromium } from '#test/browser/run-in-chromium'
import { MB, makeFile, NO_UPLOAD_LIMITS, reveal, saveFile, sha256, shareFiles } from '#test/browser/test-files'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'

const PASSPHRASE = 'zQEjeOPmVxsHb-0Mn5ioGHfJl0vqsJqsbiQKEjK-24A'
/** Around the chunk size of age, and several chunks. */
const SIZES = [0, 1, 65_535, 65_536, 65_537, 131_072, 300_000]
const plaintextOf = (size: number) => new Uint8Array(size).map((_, at) => at * 31)

/** Replaces the random values of the page, so that two implementations have to make the same bytes. */
const SAME_RANDOM_VALUES = 'crypto.getRandomValues = (bytes) => bytes.fill(7);'
const WITHOUT = withoutAlgorithms('ChaCha20-Poly1305', 'ML-KEM-768', 'X25519')
const PATHS: [name: string, options: PageOptions][] = [
  ['native cryptography', { initScript: SAME_RANDOM_VALUES }],
  ['cryptography in JavaScript', { initScript: SAME_RANDOM_VALUES + WITHOUT }],
]

const identityOf = ({ requestKey }: RequestKeys) => deriveCollectKeys(requestKey).identity
const path = (file: string) => JSON.stringify(join(ROOT, file))

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const fromBase64 = (text: string) => Buffer.from(text, 'base64')

/** Bytes are in Base64. */
interface Report {
  /** Encrypted in the page, of all sizes. */
  files: string[]
  /** Sizes of the files of Node.js that the page decrypted. */
  sizes: (number | string)[]
  recipient: string
  /** A submission of Node.js, decrypted in the page. */
  opened: string
  /** A submission of the page. */
  submission: string
}

describe('cryptography in Chromium', needs('chromium', 'age'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-native-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  let keys: RequestKeys
  let reports: Report[]
  beforeAll(async () => {
    keys = await createRequestKeys(null)
    const files = await Promise.all(SIZES.map((size) => encrypt(plaintextOf(size), PASSPHRASE)))
    const submission = await encryptTo(plaintextOf(70_000), keys.body.recipient)
    const code = `
      import { decrypt, encrypt } from ${path('core/shared/crypto/age.ts')}
      import { decryptWith, encryptTo, toRecipient } from ${path('core/shared/crypto/age-recipient.ts')}
      const plaintextOf = ${plaintextOf}
      const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
      const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      window.report = (async () => {
        const files = []
        for (const size of ${JSON.stringify(SIZES)})
          files.push(toBase64(await encrypt(plaintextOf(size), '${PASSPHRASE}')))
        const sizes = []
        for (const file of ${JSON.stringify(files.map(toBase64))}) {
          const opened = await decrypt(fromBase64(file), '${PASSPHRASE}')
          sizes.push(opened.every((byte, at) => byte === ((at * 31) & 255)) ? opened.length : 'other bytes')
        }
        const submission = fromBase64('${toBase64(submission)}')
        return {
          files,
          sizes,
          recipient: await toRecipient('${identityOf(keys)}'),
          opened: toBase64(await decryptWith(submission, '${identityOf(keys)}')),
          submission: toBase64(await encryptTo(plaintextOf(100), '${keys.body.recipient}')),
        }
      })()`
    reports = await Promise.all(PATHS.map(([, options]) => runInChromium<Report>(code, options)))
  })

  test('CRY-21: both implementations make the same files, and the age program opens them', () => {
    const [native = [], portable = []] = reports.map(({ files }) => files)
    expect(native.map(({ length }) => length)).toHaveLength(SIZES.length)
    for (const [index, size] of SIZES.entries()) {
      const bytes = fromBase64(native[index] ?? '')
      expect(Buffer.compare(bytes, fromBase64(portable[index] ?? '')), `${size} bytes`).toBe(0)
      const [sealed, opened] = [join(folder, `${size}.age`), join(folder, `${size}.bin`)]
      writeFileSync(sealed, bytes)
      // The age program writes no file for an empty plaintext.
      writeFileSync(opened, '')
      expect(runAge(`-d -o ${opened} ${sealed}`, PASSPHRASE), `${size} bytes`).toMatchObject({ status: 0 })
      expect(Buffer.compare(readFileSync(opened), plaintextOf(size)), `${size} bytes`).toBe(0)
    }
  })

  describe.each(PATHS.map(([name], index) => [name, index] as const))('%s', (_, index) => {
    test('CRY-21: files of Node.js are opened', () => {
      expect(reports[index]?.sizes).toEqual(SIZES)
    })

    test('CRY-21: submissions of Node.js are opened, and the other way round', async () => {
      const { recipient, opened, submission } = reports[index] as Report
      expect(recipient).toBe(keys.body.recipient)
      expect(Buffer.compare(fromBase64(opened), plaintextOf(70_000))).toBe(0)
      expect(await decryptWith(new Uint8Array(fromBase64(submission)), identityOf(keys))).toEqual(plaintextOf(100))
    })
  })
})

describe('the built pages', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({
      env: { ...NO_UPLOAD_LIMITS, MAYFLY_ALLOWED_HOSTS: INSECURE_HOST },
      settings: [REQUESTS_FOR_ANYONE],
    })
  })
  afterAll(() => fixture.close())

  const toPlainHttp = (url: string) => url.replace('localhost', INSECURE_HOST)
  /** Hosts whose pages loaded the code in JavaScript. */
  const hostsWith = (chunk: string) => {
    const urls = fixture.requests.map((request) => new URL(request.url()))
    return [...new Set(urls.filter(({ pathname }) => pathname.includes(`/${chunk}-`)).map(({ hostname }) => hostname))]
  }

  test('CRY-21: files of a page over plain http open in a secure page, and the other way round', async () => {
    const file = makeFile('two parts é.bin', 9 * MB)
    const baseURL = toPlainHttp(fixture.url)
    const [plain, secure] = [await fixture.newVisitor({ baseURL }), await fixture.newVisitor()]
    await reveal(secure, (await shareFiles(plain, [file])).replace(INSECURE_HOST, 'localhost'))
    expect(sha256((await saveFile(secure, 'Save')).bytes)).toBe(sha256(file.buffer))
    await reveal(plain, toPlainHttp(await shareFiles(secure, [file])))
    expect(sha256((await saveFile(plain, 'Save')).bytes)).toBe(sha256(file.buffer))
    expect(hostsWith('portable-cipher')).toEqual([INSECURE_HOST])
  })

  test('CRY-21: submissions open over plain http and in a secure page', async () => {
    const [submitter, requester] = [await fixture.newVisitor(), await fixture.newVisitor()]
    for (const toUrl of [toPlainHttp, String]) {
      const { requestLink, collectLink } = await createTestRequest(fixture)
      await openRequestPage(submitter, toUrl(requestLink))
      await submitter.getByLabel('Your secret').fill('the answer, é ☃')
      await submitter.getByRole('button', { name: 'Encrypt and send' }).click()
      await submitter.getByRole('heading', { name: 'Sent', level: 1 }).waitFor()
      await openRequestPage(requester, toUrl(collectLink))
      await requester.getByRole('button', { name: 'Open submission 1' }).click()
      await expect.poll(() => requester.locator('.secret').textContent()).toBe('the answer, é ☃')
    }
    expect(hostsWith('portable-kem')).toEqual([INSECURE_HOST])
  })
})
