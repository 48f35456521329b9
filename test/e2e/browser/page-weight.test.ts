/** Bytes that a page loads before the user does anything. */

import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { createTestRequest } from '#test/browser/requests'
import { createSecret } from '#test/browser/secrets'
import { needs } from '#test/needs'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'

const KB = 1000
/** A label of the hybrid key encapsulation in the age format. */
const POST_QUANTUM = 'mlkem768x25519'
const CIPHERS_AND_SCHEMAS = ['age-encryption.org', 'scrypt', 'ZodError', 'invalid_type'] as const

interface Loaded {
  path: string
  type: string
  /** On the wire, without headers. */
  bytes: number
  text: string
}

describe('size', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ settings: [REQUESTS_FOR_ANYONE] })
  })
  afterAll(() => fixture.close())

  /** Touches nothing: not even the pointer is on the page. `worker`: loaded last, on a busy machine after a pause. */
  async function load(page: Page, path: string, worker = ''): Promise<Loaded[]> {
    const loaded: Promise<Loaded>[] = []
    page.on('requestfinished', (request) => loaded.push(measure(request)))
    const last = page.waitForEvent('requestfinished', (request) => request.url().includes(worker))
    await page.goto(path, { waitUntil: 'networkidle' })
    await last
    return Promise.all(loaded)
  }

  test('the home page loads less than 120 kB of scripts, without encryption and schemas', async () => {
    const loaded = await load(await fixture.newVisitor(), '/')
    const bytes = (of: (each: Loaded) => boolean) => loaded.filter(of).reduce((sum, each) => sum + each.bytes, 0)
    const scripts = bytes(({ type }) => type === 'script')
    expect(scripts).toBeGreaterThan(50 * KB)
    expect(scripts).toBeLessThan(120 * KB)
    expect(bytes(({ type }) => type === 'stylesheet')).toBeLessThan(8 * KB)
    expect(bytes(({ type }) => type === 'document')).toBeLessThan(5 * KB)
    expect(bytes(({ path }) => path.startsWith('/locales/'))).toBeLessThan(6 * KB)
    for (const mark of CIPHERS_AND_SCHEMAS) {
      expect(
        loaded.filter(({ text }) => text.includes(mark)),
        mark,
      ).toEqual([])
    }
  })

  test('the pages of secrets and requests load an encryption worker, but no schemas, and only requests load post-quantum encryption, 4 kB more', async () => {
    const page = await fixture.newVisitor()
    const namesWith = (loaded: Loaded[], mark: string) =>
      loaded.filter(({ text }) => text.includes(mark)).map(({ path }) => path)
    const bytesOf = (loaded: Loaded[], worker: string) =>
      loaded.filter(({ path }) => path.includes(worker)).reduce((sum, { bytes }) => sum + bytes, 0)
    // The worker comes while the reader looks at the card.
    const secret = await load(page, (await createSecret(fixture)).link, '/assets/worker-')
    expect(namesWith(secret, CIPHERS_AND_SCHEMAS[0])).toEqual([expect.stringContaining('/assets/worker-')])
    expect(namesWith(secret, 'ZodError')).toEqual([])
    expect(namesWith(secret, POST_QUANTUM)).toEqual([])
    const { requestLink, collectLink } = await createTestRequest(fixture)
    for (const link of [requestLink, collectLink]) {
      const loaded = await load(await fixture.newVisitor(), link, '/assets/request-worker-')
      expect(namesWith(loaded, POST_QUANTUM)).toEqual([expect.stringContaining('/assets/request-worker-')])
      expect(namesWith(loaded, 'ZodError')).toEqual([])
      expect(bytesOf(loaded, '/assets/worker-')).toBe(0)
      expect(bytesOf(loaded, '/assets/request-worker-') - bytesOf(secret, '/assets/worker-')).toBeLessThan(4 * KB)
    }
  })
})

async function measure(request: Request): Promise<Loaded> {
  const response = await request.response()
  return {
    path: new URL(request.url()).pathname,
    type: request.resourceType(),
    bytes: (await request.sizes()).responseBodySize,
    text: (await response?.text()) ?? '',
  }
}
