/**
 * A server that reports a sealed secret as another kind cannot show its own text or read a password, if the page has
 * the key.
 */

import type { Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { type CreatedSecret, createSecret } from '#test/browser/secrets'
import { needs } from '#test/needs'

const FORGED = 'FORGED: pay to another account ☃'
const PASSWORD = 'my-bank-password-☃'

type Kind = 'sealed' | 'public' | 'raw'

/** Replaces the two responses that a reader gets, as the operator or a proxy with the TLS key could. */
async function forgeResponses(page: Page, kinds: { exist: Kind; view: Kind }): Promise<void> {
  if (kinds.exist !== 'sealed') {
    // The server itself responds with 404 to a request without the access proof.
    await page.route('**/api/v1/secret/*/exist', (route, request) => {
      const id = new URL(request.url()).pathname.split('/').at(-2)
      const facts = {
        maxViews: 1,
        passwordRequired: true,
        codeRequired: false,
        expiresAt: Date.now() + 60_000,
        files: 0,
      }
      return route.fulfill({ json: { id, kind: kinds.exist, ...facts } })
    })
  }
  const forged = { text: FORGED, title: FORGED, files: [], maxViews: 0, preventBurn: false }
  await page.route(/\/api\/v1\/secret\/[^/]+$/, (route, request) => {
    const id = new URL(request.url()).pathname.split('/').at(-1)
    const json = { id, kind: kinds.view, ...forged, isPublic: kinds.view === 'public', expiresAt: Date.now() + 60_000 }
    return route.fulfill({ json })
  })
}

const bodiesOf = (requests: Request[]) =>
  requests.filter((request) => request.method() === 'POST').map((request) => request.postData() ?? '')

/** Everything that the page shows, including the values of its fields. */
const contentOf = async (page: Page) =>
  (await page.content()) +
  (await page.locator('textarea').evaluateAll((all: { value: string }[]) => all.map((each) => each.value))).join()

const reveal = (page: Page) => page.getByRole('button', { name: 'Reveal secret' }).click()
const warning = (page: Page) => page.getByText("The server didn't send a valid secret.").first().waitFor()

describe('a forged kind', needs('chromium'), () => {
  let fixture: BrowserFixture
  let page: Page
  /** No test opens them. They take turns, because a page is not loaded again when only the fragment changes. */
  let secrets: CreatedSecret[]
  let secret: CreatedSecret
  let requests: Request[] = []
  beforeAll(async () => {
    fixture = await startBrowserFixture()
    secrets = [await createSecret(fixture, { password: PASSWORD }), await createSecret(fixture, { password: PASSWORD })]
    page = await fixture.newVisitor()
    page.on('request', (request) => requests.push(request))
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  async function visit(kinds: { exist: Kind; view: Kind }): Promise<void> {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    requests = []
    secret = secrets.reverse()[0] as CreatedSecret
    await forgeResponses(page, kinds)
  }

  for (const version of ['secret', 'lite'] as const) {
    describe(`/${version}`, () => {
      const openPage = (link: string) => page.goto(link.replace('/secret/', `/${version}/`))

      test.each(['public', 'raw'] as const)(
        'CRY-18: a link with a key asks for no password when the kind is %s',
        async (kind) => {
          await visit({ exist: kind, view: kind })
          await openPage(secret.link)
          await warning(page)
          expect(await page.locator('input:visible, textarea:visible, form:visible').count()).toBe(0)
          expect(bodiesOf(requests)).toEqual([])
          expect(await contentOf(page)).not.toContain(FORGED)
        },
      )

      test('CRY-18: raw for a link without a key asks for no password', async () => {
        await visit({ exist: 'raw', view: 'raw' })
        await openPage(secret.link.replace(/#.*/, ''))
        await warning(page)
        expect(await page.locator('input:visible, form:visible').count()).toBe(0)
        expect(bodiesOf(requests)).toEqual([])
      })

      test('a link whose key is separate asks for the key before any request about the secret', async () => {
        await visit({ exist: 'public', view: 'public' })
        await openPage(secret.link.replace(/#.*/, '#0'))
        await page.getByLabel('Decryption key').waitFor()
        expect(requests.filter((request) => request.url().includes('/api/v1/secret/'))).toEqual([])
        expect(await page.locator('input[type=password]:visible').count()).toBe(0)
      })

      test('a typed key leads to no password field', async () => {
        await visit({ exist: 'public', view: 'public' })
        await openPage(secret.link.replace(/#.*/, '#0'))
        await page.getByLabel('Decryption key').fill(secret.fragment)
        await reveal(page)
        await warning(page)
        expect(await page.locator('input[type=password]:visible').count()).toBe(0)
        expect(bodiesOf(requests)).toEqual([])
      })

      test('CRY-04: a text that the key does not decrypt is not shown, and the password is not sent', async () => {
        await visit({ exist: 'sealed', view: 'public' })
        await openPage(secret.link)
        await page.locator('input[type=password]').fill(PASSWORD)
        await reveal(page)
        await page
          .getByRole('alert')
          .getByText(/didn't send a valid secret|can't be decrypted/)
          .waitFor()
        expect(await contentOf(page)).not.toContain(FORGED)
        expect(bodiesOf(requests)).toHaveLength(1)
        expect(bodiesOf(requests).join()).not.toContain(PASSWORD)
      })
    })
  }
})
