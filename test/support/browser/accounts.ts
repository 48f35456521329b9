/** Accounts for the tests, made through the API. */
import type { Page } from 'playwright-core'
import type { BrowserFixture } from './browser-fixture.js'

export const PASSWORD = 'amber-river-94'
export const ADMIN = 'boss'

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>

let count = 0

/** Creates an account and signs this visitor in. Returns its username. */
export async function signUp(page: Page, fixture: BrowserFixture): Promise<string> {
  const username = `member-${++count}`
  const body = { username, email: `${username}@example.org`, password: PASSWORD }
  await postJson(page, fixture, '/authentication/signup', body)
  return username
}

/** Tells the pages of this visitor that the session ends within a day. */
export async function expireSessionSoon(page: Page, fixture: BrowserFixture, username: string): Promise<void> {
  const expirationDate = new Date(Date.now() + 20 * 3_600_000).toISOString()
  const value = btoa(JSON.stringify({ username, expirationDate }))
  await page.context().addCookies([{ name: 'public', value, url: fixture.url, sameSite: 'Strict' }])
}

const adminCookies = new WeakMap<BrowserFixture, Promise<Cookies>>()

/** Signs this visitor in as the administrator, in the session that the first call creates. */
export async function signInAsAdmin(page: Page, fixture: BrowserFixture): Promise<void> {
  if (!adminCookies.has(fixture)) adminCookies.set(fixture, createAdmin(page, fixture))
  await page.context().addCookies((await adminCookies.get(fixture)) as Cookies)
}

/** Creates accounts for others as the administrator, who is signed in as this visitor. */
export async function addUsers(page: Page, fixture: BrowserFixture, usernames: string[]): Promise<void> {
  for (const username of usernames) {
    const body = { username, email: `${username}@example.org`, password: PASSWORD }
    await postJson(page, fixture, '/admin/users', body)
  }
}

async function createAdmin(page: Page, fixture: BrowserFixture): Promise<Cookies> {
  const [, code] = await fixture.server.printed(/"setupCode":"([\w-]+)"/)
  const body = { username: ADMIN, email: `${ADMIN}@example.org`, password: PASSWORD, code }
  await postJson(page, fixture, '/authentication/setup', body)
  return page.context().cookies()
}

/** Sends an API request as this visitor. Rejects when the server refuses it. */
export async function postJson(page: Page, { url }: BrowserFixture, path: string, data: object): Promise<void> {
  const response = await page.request.post(`${url}/api/v1${path}`, { headers: { origin: url }, data })
  if (!response.ok()) throw new Error(`${path}: ${await response.text()}`)
}
