/** Files that one implementation makes are opened by the others: native, JavaScript, Node.js and the age program. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encrypt } from '#shared/crypto/age'
import { decryptWith, encryptTo } from '#shared/crypto/age-recipient'
import { deriveCollectKeys } from '#shared/crypto/request-keys'
import { createRequestKeys } from '#shared/crypto/submission'
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

const path = (file: string) => JSON.stringify(join(ROOT, file))

/** Runs the code of an async function in Chromium. Its result is JSON; bytes are arrays of numbers. */
const run = <T>(code: string, options: PageOptions): Promise<T> =>
  runInChromium<T>(
    `
    import { decrypt, encrypt } from ${path('core/shared/crypto/age.ts')}
    import { decryptWith, encryptTo, toRecipient } from ${path('core/shared/crypto/age-recipient.ts')}
    const plaintextOf = ${plaintextOf}
    window.report = (async () => { ${code} })()`,
    options,
  )

/** The files of all sizes. */
const encryptInPage = (options: PageOptions): Promise<number[][]> =>
  run(
    `const files = []
    for (const size of ${JSON.stringify(SIZES)}) files.push([...await encrypt(plaintextOf(size), '${PASSPHRASE}')])
    return files`,
    options,
  )

describe('cryptography in Chromium', needs('chromium', 'age'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-native-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('CRY-21: both implementations make the same files, and the age program opens them', async () => {
    const [native = [], portable = []] = await Promise.all(PATHS.map(([, options]) => encryptInPage(options)))
    expect(native.map(({ length }) => length)).toHaveLength(SIZES.length)
    for (const [index, size] of SIZES.entries()) {
      const bytes = Buffer.from(native[index] ?? [])
      expect(Buffer.compare(bytes, Buffer.from(portable[index] ?? [])), `${size} bytes`).toBe(0)
      const [sealed, opened] = [join(folder, `${size}.age`), join(folder, `${size}.bin`)]
      writeFileSync(sealed, bytes)
      // The age program writes no file for an empty plaintext.
      writeFileSync(opened, '')
      expect(runAge(`-d -o ${opened} ${sealed}`, PASSPHRASE), `${size} bytes`).toMatchObject({ status: 0 })
      expect(Buffer.compare(readFileSync(opened), plaintextOf(size)), `${size} bytes`).toBe(0)
    }
  })

  describe.each(PATHS)('%s', (_, options) => {
    test('CRY-21: files of Node.js are opened', async () => {
      const files = await Promise.all(SIZES.map((size) => encrypt(plaintextOf(size), PASSPHRASE)))
      const lengths = await run(
        `const lengths = []
        for (const file of ${JSON.stringify(files.map((file) => [...file]))}) {
          const opened = await decrypt(new Uint8Array(file), '${PASSPHRASE}')
          lengths.push(opened.every((byte, at) => byte === ((at * 31) & 255)) ? opened.length : 'other bytes')
        }
        return lengths`,
        options,
      )
      expect(lengths).toEqual(SIZES)
    })

    test('CRY-21: submissions of Node.js are opened, and the other way round', async () => {
      const { requestKey, body } = await createRequestKeys(null)
      const { identity } = deriveCollectKeys(requestKey)
      const ours = await encryptTo(plaintextOf(70_000), body.recipient)
      const { recipient, opened, theirs } = await run<{ recipient: string; opened: number[]; theirs: number[] }>(
        `const ours = new Uint8Array(${JSON.stringify([...ours])})
        return {
          recipient: await toRecipient('${identity}'),
          opened: [...await decryptWith(ours, '${identity}')],
          theirs: [...await encryptTo(plaintextOf(100), '${body.recipient}')],
        }`,
        options,
      )
      expect(recipient).toBe(body.recipient)
      expect(Buffer.compare(Buffer.from(opened), plaintextOf(70_000))).toBe(0)
      expect(await decryptWith(new Uint8Array(theirs), identity)).toEqual(plaintextOf(100))
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
    for (const toUrl of [toPlainHttp, String]) {
      const { requestLink, collectLink } = await createTestRequest(fixture)
      const [submitter, requester] = [await fixture.newVisitor(), await fixture.newVisitor()]
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
