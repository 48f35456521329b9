/** Every path of the app for a visitor, a user and an administrator: status, title, heading and content. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ADMIN, PASSWORD, postJson, signInAsAdmin, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { needs } from '#test/needs'
import { CLI } from '#test/start-server'

interface Shown {
  heading: string
  /** Without the name of the product. If absent, the heading. */
  title?: string
  /** The URL after a redirect. */
  at?: RegExp
  /** Content beside the heading. */
  text: RegExp
}

const ROLES = ['visitor', 'user', 'admin'] as const
type Role = (typeof ROLES)[number]

const signIn = { heading: 'Sign in', at: /\/signin\?to=%2Faccount/, text: /No account/ }
const forUsers = (shown: Shown): Record<Role, Shown> => ({ visitor: signIn, user: shown, admin: shown })
const forAdmins = (shown: Shown): Record<Role, Shown> => ({
  visitor: signIn,
  user: { ...shown, text: /Only administrators can view and change this(?!.*can do this)/s },
  admin: shown,
})
const notFound = { heading: "This page doesn't exist", title: '404 Not Found', text: /Share a secret/ }
const signedIn = { heading: "You're signed in as WHO", text: /Continue/ }
const forVisitors = (shown: Shown): Record<Role, Shown> => ({ visitor: shown, user: signedIn, admin: signedIn })
const forAll = (shown: Shown): Record<Role, Shown> => ({ visitor: shown, user: shown, admin: shown })

/** By path as in site.json. A page without an entry has a heading, which is also its title. */
const EXPECTED: Record<string, Record<Role, Shown>> = {
  '/': forAll({ heading: 'Share a secret', text: /Create link/ }),
  '/secret/:secretId': forAll({ heading: 'Someone sent you a secret', text: /Reveal secret/ }),
  '/secret/:encryptionKey/:secretId': forAll({ heading: 'This link looks cut off', text: /copy/i }),
  '/public': forAll({ heading: 'Public secrets', text: /Wi-Fi for everyone/ }),
  '/public/:username': forAll({ heading: 'Public secrets by alice', text: /Wi-Fi for everyone/ }),
  '/signin': forVisitors({ heading: 'Sign in', text: /Password/ }),
  // No sign-in waits for it.
  '/signin/second-step': {
    ...forUsers({ heading: 'Hi, WHO', title: 'Account', at: /\/account$/, text: /Member since/ }),
    visitor: { heading: 'Sign in', title: 'Error: Sign in', at: /\/signin\?to=/, text: /took too long/ },
  },
  '/signup': forVisitors({ heading: 'Create an account', text: /4 to 20 characters/ }),
  '/privacy': forAll({ heading: 'Privacy', text: /In short/ }),
  '/terms': forAll({ heading: 'Terms', text: /In short/ }),
  '/api-docs': forAll({ heading: 'API Work in Progress', title: 'API', text: /\/api\/v1/ }),
  '/stats': forAll({ heading: 'Statistics', text: /Secrets created\S/ }),
  '/unsubscribe': forAll({ heading: 'Turn off notifications', text: /This link doesn't work.*Account settings/s }),
  '/verify-email': forAll({ heading: 'Confirm your e-mail address', text: /This link is invalid/ }),
  '/forgot-password': forAll({ heading: 'Reset your password', text: /Send link/ }),
  '/reset-password': forAll({
    heading: 'Choose a new password',
    title: 'Error: Choose a new password',
    text: /This link is invalid.*Reset your password/,
  }),
  '/account': forUsers({
    heading: 'Hi, WHO',
    title: 'Account',
    text: /WHO@example\.org.*Uploaded in 24 hours0 bytes? of 10 GB/s,
  }),
  '/account/account': forUsers({ heading: 'Hi, WHO', title: 'Account', text: /Member since/ }),
  '/account/secrets': forUsers({ heading: 'Your secrets', text: /Note of WHO/ }),
  '/account/account-settings': forUsers({ heading: 'Account settings', text: /Delete account/ }),
  '/account/security': forUsers({ heading: 'Security', text: /API tokens/ }),
  '/account/device': forUsers({ heading: 'Approve a sign-in', text: /Enter the code/ }),
  // The server of this test does not offer them.
  '/account/webhooks': forUsers(notFound),
  '/account/webhooks/:webhookId': forUsers(notFound),
  '/account/users': forAdmins({ heading: 'Users', text: new RegExp(`${ADMIN}@example\\.org`) }),
  '/account/instance-settings': forAdmins({ heading: 'Instance settings', text: /File storage.*Save settings/s }),
  '/setup': forAll({ heading: 'Set up this site', text: /administrator/ }),
  '/lite': forAll({ heading: 'Share a secret', title: 'Mayfly lite', text: /Create link/ }),
  '/lite/:secretId': forAll({
    heading: 'This secret is no longer available',
    title: 'Mayfly lite',
    text: /no longer/,
  }),
  '/signout': forAll({ heading: "You're signed out", text: /Sign in again/ }),
}

const PARAMETERS: Record<string, string> = {
  ':secretId': 'AAAAAAAAAAAAAAAAAAAAAA',
  ':encryptionKey': 'KEY',
  ':username': 'alice',
}
/** Instead of `PARAMETERS`. The last part of a lite link is also the key. */
const EXAMPLES: Record<string, string> = { '/lite/:secretId': `/lite/AAAAAAAAAAAAAAAAAAAAAA~${'A'.repeat(43)}` }

/** A page that is the same for several roles is opened as one of them, by turns. */
function listPathsOf(role: Role): string[] {
  return listPaths().filter((route, index) => {
    const same = ROLES.filter((other) => findExpected(route, other) === findExpected(route, role))
    return same[index % same.length] === role
  })
}

function findExpected(route: string, role: Role): Shown | undefined {
  return EXPECTED[route]?.[role] ?? (route.startsWith('/account/') && role === 'visitor' ? signIn : undefined)
}

const MISSING: Record<Role, string[]> = {
  visitor: ['/nowhere', '/account/nowhere'],
  user: ['/account/nowhere'],
  admin: ['/public/alice/more'],
}

/** The last path signs the user out. */
function listPaths(): string[] {
  const { routes } = JSON.parse(readFileSync(join(dirname(CLI), 'web/site.json'), 'utf8')) as { routes: string[] }
  return [...routes.filter((path) => path !== '/signout'), '/signout']
}

test('every expectation belongs to a path of the app', () => {
  expect(listPaths()).toEqual(expect.arrayContaining(Object.keys(EXPECTED)))
})

describe('routes', needs('chromium'), () => {
  let fixture: BrowserFixture
  /** One for all roles, because the first page of a browser context loads three times as long as the next ones. */
  let page: Page
  /** Pages send nothing that the server must refuse. */
  const refused: string[] = []
  beforeAll(async () => {
    fixture = await startBrowserFixture()
    page = await fixture.newVisitor()
    await signInAsAdmin(page, fixture)
    // A sign-up ends the session before it.
    await page.context().clearCookies()
    const account = { username: 'alice', email: 'alice@example.org', password: PASSWORD }
    await postJson(page, fixture, '/authentication/signup', account)
    await postJson(page, fixture, '/secret', { text: 'x', title: 'Wi-Fi for everyone', isPublic: true, ttl: 3600 })
    await page.context().clearCookies()
    page.on('response', (response) => {
      const isExpected = response.url().endsWith('/second-factor/options')
      if ([401, 403].includes(response.status()) && !isExpected) refused.push(response.url())
    })
  })
  const countCreated = async () => {
    const { total } = (await (await fetch(`${fixture.url}/api/v1/stats`)).json()) as {
      total: { created: number | null }
    }
    return total.created
  }
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  describe.each(ROLES)('of a %s', (role) => {
    let who = ''
    beforeAll(async () => {
      if (role === 'user') who = await signUp(page, fixture)
      if (role === 'admin') {
        await signInAsAdmin(page, fixture)
        who = ADMIN
      }
      if (role !== 'visitor')
        await postJson(page, fixture, '/secret', { text: 'x', title: `Note of ${who}`, isPublic: true, ttl: 3600 })
    })

    // Before the last path signs the user out.
    test.each(MISSING[role])('%s responds with 404', async (path) => {
      const response = await page.goto(fixture.url + path)
      expect(response?.status()).toBe(404)
      await page.getByRole('heading', { name: "This page doesn't exist", level: 1 }).waitFor()
      await expect.poll(() => page.title()).toBe('404 Not Found · Mayfly')
      expect(fixture.takeErrors()).toEqual([expect.stringContaining('status of 404')])
    })

    test.each(listPathsOf(role))('%s', async (route) => {
      const path = EXAMPLES[route] ?? route.replace(/:\w+/g, (name) => PARAMETERS[name] ?? 'x')
      // The server writes its counts every five seconds, and the page keeps what it loaded. Small counts are null.
      if (route === '/stats')
        await vi.waitFor(async () => expect(await countCreated()).not.toBe(0), { timeout: 20_000, interval: 500 })
      const response = await page.goto(fixture.url + path)
      expect(response?.status()).toBe(200)
      const { heading, title = heading, at, text } = findExpected(route, role) ?? (await readHeading(page))
      const named = (words: string) => words.replace('WHO', who)
      await expect
        .poll(async () => (await page.locator('h1').allTextContents()).map((each) => each.trim()))
        .toEqual([named(heading)])
      await expect.poll(() => page.title()).toBe(path.startsWith('/lite') ? title : `${named(title)} · Mayfly`)
      const shownText = () => page.locator('main').textContent()
      await expect.poll(shownText).toMatch(new RegExp(named(text.source), text.flags))
      if (at) expect(page.url()).toMatch(at)
      else expect(new URL(page.url()).pathname).toBe(path.replace('/KEY/', '/'))
      expect(refused).toEqual([])
    })
  })
})

/** Expected content of a page without an entry in `EXPECTED`. */
async function readHeading(page: Page): Promise<Shown> {
  // Until the page has loaded, the heading is the name of the product.
  const heading =
    (await page
      .locator('h1')
      .filter({ hasNotText: /^\s*Mayfly\s*$/ })
      .first()
      .textContent()) ?? ''
  expect(heading).not.toBe('Unexpected Application Error')
  return { heading: heading.trim(), text: /\S/ }
}
