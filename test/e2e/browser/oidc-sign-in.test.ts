/** OpenID Connect sign-in in a browser at a real provider, and forged responses. */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '#core/runtime'
import { PASSWORD, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { failWith } from '#test/browser/page-actions'
import { needs } from '#test/needs'
import { type Forgery, type RunningProvider, startProvider } from '#test/oidc-provider'

const alice = { preferred_username: 'alice', email: 'alice@example.org' }
const WORDS: Record<string, string> = {
  'auth.refused': 'Sign-in failed. Start again.',
  'auth.unavailable': "The sign-in service isn't responding. Try again later.",
}

describe('OpenID Connect sign-in', needs('chromium'), () => {
  let fixture: BrowserFixture
  let provider: RunningProvider
  let callback: string
  /** One for all tests, because a page that has seen two sites cannot be reset. */
  let page: Page
  beforeAll(async () => {
    const port = await freePort()
    // `localhost` and `127.0.0.1` are two sites to a browser, which keeps strict cookies from one when it comes from
    // the other.
    callback = `http://localhost:${port}/api/v1/authentication/company/callback`
    provider = await startProvider([callback])
    Object.assign(provider.claims, alice)
    const { issuer, clientId, clientSecret } = provider
    fixture = await startBrowserFixture({
      port,
      env: {
        MAYFLY_AUTH: 'local-auth,oidc',
        MAYFLY_OIDC_ID: 'company',
        MAYFLY_OIDC_LABEL: 'Company login',
        MAYFLY_OIDC_ISSUER: issuer,
        MAYFLY_OIDC_CLIENT_ID: clientId,
        MAYFLY_OIDC_CLIENT_SECRET: clientSecret,
        MAYFLY_OIDC_ALLOWED_EMAIL_DOMAINS: 'example.org',
      },
    })
    page = await fixture.newVisitor()
    // It starts without its provider.
    await provider.close()
  })
  beforeEach(() => page.context().clearCookies())
  afterAll(async () => {
    await fixture.close()
    await provider.close()
  })
  afterEach(() => {
    const isMeant = (problem: string) => problem === `request to ${provider.issuer}`
    expect(fixture.takeErrors().filter((problem) => !isMeant(problem))).toEqual([])
  })

  const signIn = async (page: Page, to = '/public') => {
    await page.goto(`/signin?to=${encodeURIComponent(to)}`)
    await page.getByRole('link', { name: 'Company login' }).click()
  }
  /** The signed-in user of this browser, according to the server. */
  const whoIs = (page: Page) =>
    page.evaluate(`fetch('/api/v1/authentication/verify').then((answer) => answer.json())`) as Promise<{
      username?: string
      code?: string
    }>
  /** Without the cookie of passkeys, which each visit of the sign-in page sets for five minutes. */
  const cookies = async (page: Page) => {
    const all = await page.context().cookies(fixture.url)
    return all.flatMap(({ name }) => (name === 'challenge' ? [] : [name])).sort()
  }
  const isSignedIn = async (page: Page) => {
    await page.getByRole('link', { name: 'Sign out' }).first().waitFor()
    await expect.poll(() => whoIs(page)).toMatchObject({ username: 'alice' })
    await expect.poll(() => cookies(page)).toEqual(['device', 'public', 'session'])
  }
  const isRefused = async (page: Page, code: string) => {
    await page.waitForURL(`${fixture.url}/signin?error=${code}`)
    await page
      .getByRole('alert')
      .filter({ hasText: WORDS[code] ?? '' })
      .waitFor()
    await expect.poll(() => whoIs(page)).toMatchObject({ code: 'auth.required' })
    await expect.poll(() => cookies(page)).toEqual([])
  }

  test('a provider that is down is reported, and works again without a restart of the server', async () => {
    await signIn(page)
    await isRefused(page, 'auth.unavailable')
    provider = await startProvider([callback], { port: Number(new URL(provider.issuer).port) })
    Object.assign(provider.claims, alice)
    await signIn(page)
    await isSignedIn(page)
  })

  test('sign-in redirects to the provider and back to the requested page', async () => {
    await signIn(page, '/public?of=☃')
    await isSignedIn(page)
    expect(page.url()).toBe(`${fixture.url}/public?of=%E2%98%83`)
    await page.reload()
    await isSignedIn(page)
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: "You're signed out" }).waitFor()
    // The name of a known browser stays, so that its next sign-in sends no alert.
    await expect.poll(() => cookies(page)).toEqual(['device'])
    await expect.poll(() => whoIs(page)).toMatchObject({ code: 'auth.required' })
  })

  test('code and state stay neither in the URL, the history, the page nor the log', async () => {
    const before = fixture.requests.length
    await signIn(page)
    await isSignedIn(page)
    const [back] = fixture.requests.slice(before).filter((request) => request.url().startsWith(callback))
    const { searchParams } = new URL(back?.url() ?? '')
    expect(await page.evaluate('document.referrer')).toBe('')
    for (const secret of [searchParams.get('code'), searchParams.get('state')]) {
      expect(secret).toMatch(/^.{20,}$/)
      expect(page.url() + (await page.content())).not.toContain(secret)
      expect(fixture.server.log()).not.toContain(secret)
    }
    // Back leads to the previous page, not to the callback again.
    await page.goBack()
    await page.getByRole('heading', { name: "You're signed in as alice" }).waitFor()
    await isSignedIn(page)
  })

  test('a forged response, another e-mail domain and a callback URL of another browser are refused', async () => {
    const forgeries: Forgery[] = [{ back: { state: 'A'.repeat(43) } }, { signature: true }]
    for (const forgery of forgeries) {
      Object.assign(provider.forgery, forgery)
      await signIn(page)
      await isRefused(page, 'auth.refused')
      for (const name of Object.keys(forgery)) delete provider.forgery[name as keyof Forgery]
    }
    for (const email of ['alice@corp.example', 'alice@sub.example.org', 'alice@example.org.evil.example']) {
      provider.claims.email = email
      await signIn(page)
      await isRefused(page, 'auth.refused')
    }
    Object.assign(provider.claims, alice)
    const { headers } = await fetch(callback.replace('/callback', '/start'), { redirect: 'manual' })
    const response = await provider.follow(new URL(headers.get('location') ?? ''))
    await page.goto(response.href)
    await isRefused(page, 'auth.refused')
  })

  test('an account is connected to the provider and disconnected on the page Security', async () => {
    Object.assign(provider.claims, { sub: 'person-2', email: 'person-2@example.org' })
    await signUp(page, fixture)
    const settings = '/account/security'
    const connect = page.getByRole('button', { name: 'Connect Company login', exact: true })
    const end = page.getByRole('button', { name: 'Disconnect Company login' })
    await page.goto(settings)
    await connect.click()
    await page.waitForURL(`${fixture.url}${settings}`)
    await page.getByText('Connected', { exact: true }).waitFor()
    await expect.poll(() => connect.count()).toBe(0)

    const other = await fixture.newVisitor()
    await signIn(other)
    await other.getByRole('link', { name: 'Sign out' }).first().waitFor()
    await expect.poll(() => whoIs(other)).toEqual(await whoIs(page))

    await end.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
    await expect.poll(() => end.count()).toBe(1)
    await end.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Company login was disconnected.').waitFor()
    await connect.waitFor()
    await expect.poll(() => end.count()).toBe(0)
    await expect.poll(() => whoIs(other)).toMatchObject({ code: 'auth.required' })
    Object.assign(provider.claims, alice)
    delete provider.claims.sub
  })

  test('connecting a provider asks for a proof, and continues after it', async () => {
    Object.assign(provider.claims, { sub: 'person-3', email: 'person-3@example.org' })
    await signUp(page, fixture)
    await page.goto('/account/security')
    const url = '**/api/v1/authentication/company/connect'
    await failWith(page, url, 403, { code: 'auth.proof_required' })
    await page.getByRole('button', { name: 'Connect Company login' }).click()
    await page.locator('dialog [name=password]:focus').waitFor()
    await page.unroute(url)
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Connected', { exact: true }).waitFor()
    expect(page.url()).toBe(`${fixture.url}/account/security`)
    Object.assign(provider.claims, alice)
    delete provider.claims.sub
  })

  test('the last sign-in method cannot be disconnected', async () => {
    await signIn(page)
    await isSignedIn(page)
    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Disconnect Company login' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page
      .getByRole('alert')
      .getByText("This is the only sign-in method of your account, so you can't remove it.")
      .waitFor()
    await page.getByText('Connected', { exact: true }).waitFor()
  })
})
