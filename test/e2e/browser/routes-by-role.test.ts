/** Every path of the app for a visitor, a user and an administrator: status, title, heading and data. */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, PASSWORD, postJson, signInAsAdmin, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { needs } from '#test/needs'
import { paths } from '../../../web/lib/paths.js'

interface Shown {
  heading: string
  /** Without the name of the product. The heading unless it is given. */
  title?: string
  /** Where it leads instead. */
  at?: RegExp
  /** Content beside the heading. */
  text: RegExp
}

type Role = 'visitor' | 'user' | 'admin'

const NO_SUCH_SECRET = '/secret/AAAAAAAAAAAAAAAAAAAAAA'
const signIn = { heading: 'Sign in', at: /\/signin\?to=%2Faccount/, text: /No account/ }
const forPeople = (shown: Shown): Record<Role, Shown> => ({ visitor: signIn, user: shown, admin: shown })
const forAdmins = (shown: Shown): Record<Role, Shown> => ({
  visitor: signIn,
  user: { ...shown, text: /Only administrators can do this/ },
  admin: shown,
})
const forAll = (shown: Shown): Record<Role, Shown> => ({ visitor: shown, user: shown, admin: shown })

/** Names of `paths`. */
const ROUTES: Record<string, [path: string, Record<Role, Shown>]> = {
  home: ['/', forAll({ heading: 'Share a secret', text: /Create link/ })],
  secret: [NO_SUCH_SECRET, forAll({ heading: 'Someone sent you a secret', text: /Reveal secret/ })],
  secretWithKey: ['/secret/KEY/AAAAAAAAAAAAAAAAAAAAAA', forAll({ heading: 'This link looks cut off', text: /copy/i })],
  public: ['/public', forAll({ heading: 'Public secrets', text: /Wi-Fi for everyone/ })],
  publicOf: ['/public/alice', forAll({ heading: 'Public secrets by alice', text: /Wi-Fi for everyone/ })],
  signIn: ['/signin', forAll({ heading: 'Sign in', text: /Password/ })],
  signUp: ['/signup', forAll({ heading: 'Create an account', text: /4 to 20 characters/ })],
  privacy: ['/privacy', forAll({ heading: 'Privacy', text: /In short/ })],
  terms: ['/terms', forAll({ heading: 'Terms', text: /In short/ })],
  apiDocs: ['/api-docs', forAll({ heading: 'API Work in Progress', title: 'API', text: /\/api\/v1/ })],
  stats: ['/stats', forAll({ heading: 'Statistics', text: /Secrets createdunder 5/ })],
  account: ['/account', forPeople({ heading: 'Hi, WHO', title: 'Account', text: /WHO@example\.org/ })],
  accountDetails: ['/account/account', forPeople({ heading: 'Hi, WHO', title: 'Account', text: /API tokens/ })],
  ownSecrets: ['/account/secrets', forPeople({ heading: 'Your secrets', text: /Note of WHO/ })],
  accountSettings: [
    '/account/account-settings',
    forPeople({ heading: 'Account settings', text: /Where you're signed in/ }),
  ],
  accountPrivacy: ['/account/privacy', forPeople({ heading: 'Privacy', text: /In short/ })],
  accountTerms: ['/account/terms', forPeople({ heading: 'Terms', text: /In short/ })],
  users: ['/account/users', forAdmins({ heading: 'Users', text: new RegExp(`${ADMIN}@example\\.org`) })],
  instanceSettings: ['/account/instance-settings', forAdmins({ heading: 'Instance settings', text: /Save settings/ })],
  setUp: ['/setup', forAll({ heading: 'Set up this site', text: /administrator/ })],
  lite: ['/lite', forAll({ heading: 'Share a secret', title: 'Mayfly lite', text: /Create link/ })],
  liteSecret: [
    `/lite/AAAAAAAAAAAAAAAAAAAAAA~${'A'.repeat(43)}`,
    forAll({ heading: 'This secret is no longer available', title: 'Mayfly lite', text: /no longer/ }),
  ],
  // The last one, because this path signs the user out.
  signOut: ['/signout', forAll({ heading: "You're signed out", text: /Sign in again/ })],
}

test('every path of the app is in the table', () => {
  expect(Object.keys(ROUTES).sort()).toEqual(Object.keys(paths).sort())
})

describe('routes', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
    await signInAsAdmin(await fixture.newVisitor(), fixture)
    const alice = await fixture.newVisitor()
    const account = { username: 'alice', email: 'alice@example.org', password: PASSWORD }
    await postJson(alice, fixture, '/authentication/signup', account)
    await postJson(alice, fixture, '/secret', { text: 'x', title: 'Wi-Fi for everyone', isPublic: true, ttl: 3600 })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  describe.each(['visitor', 'user', 'admin'] as const)('of a %s', (role) => {
    let page: Page
    let who = ''
    beforeAll(async () => {
      page = await fixture.newVisitor()
      if (role === 'user') who = await signUp(page, fixture)
      if (role === 'admin') {
        await signInAsAdmin(page, fixture)
        who = ADMIN
      }
      if (role !== 'visitor')
        await postJson(page, fixture, '/secret', { text: 'x', title: `Note of ${who}`, isPublic: true, ttl: 3600 })
    })

    // Before the last path signs the user out.
    test.each(['/nowhere', '/account/nowhere', '/public/alice/more'])('%s responds with 404', async (path) => {
      const answer = await page.goto(fixture.url + path)
      expect(answer?.status()).toBe(404)
      await page.getByRole('heading', { name: "This page doesn't exist", level: 1 }).waitFor()
      await expect.poll(() => page.title()).toBe('404 Not Found · Mayfly')
      expect(fixture.takeErrors()).toEqual([expect.stringContaining('status of 404')])
    })

    test.each(Object.entries(ROUTES))('%s', async (_, [path, shown]) => {
      const { heading, title = heading, at, text } = shown[role]
      const answer = await page.goto(fixture.url + path)
      expect(answer?.status()).toBe(200)
      const named = (words: string) => words.replace('WHO', who)
      await expect
        .poll(async () => (await page.locator('h1').allTextContents()).map((each) => each.trim()))
        .toEqual([named(heading)])
      await expect.poll(() => page.title()).toBe(path.startsWith('/lite') ? title : `${title} · Mayfly`)
      const shownText = () => page.locator('main').textContent()
      await expect.poll(shownText).toMatch(new RegExp(named(text.source), text.flags))
      if (at) expect(page.url()).toMatch(at)
      else expect(new URL(page.url()).pathname).toBe(path.replace('/KEY/', '/'))
    })
  })
})
