/** The built library in a page, as a module without a bundler. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { withoutAlgorithms } from '#test/browser/crypto-paths'
import { NO_UPLOAD_LIMITS } from '#test/browser/test-files'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'

/** Everything in one page: its result is compared as a whole. */
const STORY = `(async () => {
  const { collect, createRequest, createSecret, readSecret, submit } = await import('/library/client.js')
  const connection = { server: location.origin }
  const bytes = crypto.getRandomValues(new Uint8Array(60000))
  const files = [{ name: 'ä.bin', content: new Blob([bytes, bytes]) }]
  const { link } = await createSecret(connection, { text: 'pässwörd ☃', password: 'päss', files })
  const wrong = await readSecret(connection, link, { password: 'x' }).catch(({ name, code }) => name + ' ' + code)
  const secret = await readSecret(connection, link, { password: 'päss' })
  const copy = new Uint8Array(await new Response(secret.files[0].stream()).arrayBuffer())
  await secret.acknowledge()
  const request = await createRequest(connection, { title: 'Schlüssel ☃' })
  await submit(connection, request.requestLink, { text: 'answer ☃' })
  const submission = await collect(connection, request.collectLink)
  return [wrong, secret.text, copy.length === 120000 && copy.every((byte, at) => byte === bytes[at % 60000]), submission.text]
})()`

describe('mayfly/client in Chromium', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ env: NO_UPLOAD_LIMITS, settings: [REQUESTS_FOR_ANYONE] })
  })
  afterAll(() => fixture?.close())

  test.each([
    ['native cryptography', ''],
    ['cryptography in JavaScript', withoutAlgorithms('ChaCha20-Poly1305', 'ML-KEM-768', 'X25519')],
  ])('shares and opens secrets, files and requests with %s', async (_, initScript) => {
    const page = await fixture.newVisitor()
    await page.addInitScript(initScript)
    await page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
    await page.route('**/library/*', (route) => {
      const path = join(ROOT, 'dist/library', basename(new URL(route.request().url()).pathname))
      return route.fulfill({ contentType: 'text/javascript', body: readFileSync(path) })
    })
    await page.goto(`${fixture.url}/blank`)
    const result = await page.evaluate(STORY)
    expect(result).toEqual(['MayflyError secret.password_wrong', 'pässwörd ☃', true, 'answer ☃'])
  })
})
