/** People with accounts, signed in the quick way: by the call, not by the form. */
import type { Page } from 'playwright-core'
import type { Stage } from './browser-fixture.js'

export const PASSWORD = 'amber-river-94'

let count = 0

/** Makes an account for this visitor, who is signed in from then on. Returns its username. */
export async function signUp(page: Page, stage: Stage): Promise<string> {
  const username = `member-${++count}`
  await post(page, stage, '/authentication/signup', { username, email: `${username}@example.org`, password: PASSWORD })
  return username
}

/** What pages of this visitor are told of the session from now on: it ends within a day. */
export async function letEndSoon(page: Page, stage: Stage, username: string): Promise<void> {
  const expirationDate = new Date(Date.now() + 20 * 3_600_000).toISOString()
  const value = btoa(JSON.stringify({ username, expirationDate }))
  await page.context().addCookies([{ name: 'public', value, url: stage.url, sameSite: 'Strict' }])
}

export const ADMIN = 'boss'

const administered = new WeakMap<Stage, Promise<void>>()

/** Signs this visitor in as the administrator of the stage, whom the set-up code makes when it is first called. */
export async function signInAsAdmin(page: Page, stage: Stage): Promise<void> {
  if (!administered.has(stage)) administered.set(stage, makeAdmin(page, stage))
  await administered.get(stage)
  await post(page, stage, '/authentication/signin', { username: ADMIN, password: PASSWORD })
}

/** Accounts that an administrator, signed in as this visitor, makes for others. */
export async function addMembers(page: Page, stage: Stage, usernames: string[]): Promise<void> {
  for (const username of usernames) {
    await post(page, stage, '/admin/users', { username, email: `${username}@example.org`, password: PASSWORD })
  }
}

async function makeAdmin(page: Page, stage: Stage): Promise<void> {
  const [, code] = await stage.server.printed(/Set-up code[^:]*: (\S+)/)
  const email = `${ADMIN}@example.org`
  await post(page, stage, '/authentication/setup', { username: ADMIN, email, password: PASSWORD, code })
}

/** A call as this visitor, past the pages. Rejects when it is refused. */
export async function post(page: Page, { url }: Stage, path: string, data: object): Promise<void> {
  const answer = await page.request.post(`${url}/api/v1${path}`, { headers: { origin: url }, data })
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
}
