/** How to get to every state of the screens about people: signing in and out, accounts, administration. */
import type { Page } from 'playwright-core'
import type { Stage } from '#test/browser/browser-fixture'
import { ADMIN, letEndSoon, PASSWORD, post, signInAsAdmin, signUp } from '#test/browser/members'
import {
  alter,
  answer,
  dialog,
  failWith,
  follow,
  h1,
  type Reach,
  silence,
  submit,
  withSettings,
} from '#test/browser/page-actions'

const FAILED = { code: 'server.error' }

const COMPANY = { id: 'company', label: 'Company login', kind: 'redirect' }
const PROXY = { id: 'proxy', label: '', kind: 'header' }
const PASSWORD_HERE = { id: 'local', label: '', kind: 'password' }
const PROVIDERS = [
  PASSWORD_HERE,
  COMPANY,
  { id: 'long', label: 'A provider with a name of more than one line', kind: 'redirect' },
]

async function signUpForm(page: Page): Promise<void> {
  await page.goto('/signup')
  await page.locator('[name=email]').fill('alice@example.org')
  await page.locator('[name=username]').fill('alice')
  await page.locator('[name=password]').fill(PASSWORD)
}

async function nearTheEnd(page: Page, stage: Stage): Promise<void> {
  await letEndSoon(page, stage, await signUp(page, stage))
  await page.goto('/')
  await page.locator('.session-prompt').waitFor()
}

async function askForToken(page: Page, stage: Stage): Promise<void> {
  await signUp(page, stage)
  await page.goto('/account')
  await page.locator('main section > p > button').click()
  await page.locator('input[name=name]').waitFor()
}

async function withToken(page: Page, stage: Stage): Promise<void> {
  await signUp(page, stage)
  await post(page, stage, '/account/tokens', { name: 'backup script' })
  await page.goto('/account')
  await page.locator('tbody .danger').first().click()
  await dialog(page)
}

async function ownSecrets(page: Page, stage: Stage): Promise<void> {
  await signUp(page, stage)
  const own = { text: 'text', ttl: 86_400 }
  await post(page, stage, '/secret', { ...own, password: 'amber', preventBurn: true })
  await post(page, stage, '/secret', { ...own, title: 'Wi-Fi for the office', isPublic: true, maxViews: 40 })
  await page.goto('/account/secrets')
  await page.locator('table').waitFor()
}

/** One more than a page holds, with every option. */
const OWN_SECRETS = Array.from({ length: 51 }, (_, index) => ({
  id: `${index}`.padStart(22, 'A'),
  title: [null, 'A title that is as long as people make them when nobody stops them '.repeat(2)][index % 2],
  kind: 'sealed',
  createdAt: 0,
  expiresAt: Date.now() + (index + 1) * 3_600_000,
  maxViews: [1, 9999, null][index % 3],
  passwordRequired: index % 2 === 0,
  files: index % 4,
  isPublic: index % 3 === 0,
  preventBurn: index % 5 === 0,
}))

/** Signed in at two further places. */
async function accountSettings(page: Page, stage: Stage): Promise<void> {
  const username = await signUp(page, stage)
  for (const _ of [1, 2]) {
    const headers = { origin: stage.url, 'content-type': 'application/json', 'user-agent': 'Firefox/1 Windows' }
    const body = JSON.stringify({ username, password: PASSWORD })
    await fetch(`${stage.url}/api/v1/authentication/signin`, { method: 'POST', headers, body })
  }
  await page.goto('/account/account-settings')
  await page.locator('.sessions').first().waitFor()
}

/** With one way to sign in connected, and another one not. */
async function connections(page: Page, stage: Stage): Promise<void> {
  await withSettings(page, { providers: [COMPANY, { ...COMPANY, id: 'club', label: 'Club' }] })
  await answer(page, '**/api/v1/account/identities', [{ provider: 'club', label: 'Club' }])
  await accountSettings(page, stage)
}

const SOMEBODY = { role: 'user', generated: false, createdAt: 0, secrets: 0 }
const MEMBERS = [
  { ...SOMEBODY, username: ADMIN, email: `${ADMIN}@example.org`, role: 'admin' },
  { ...SOMEBODY, username: 'bob', email: 'bob@example.org', generated: true, secrets: 3 },
  { ...SOMEBODY, username: 'a-name-of-20-letters', email: `${'an-address-as-long-as-some-are'.repeat(2)}@example.org` },
]

/** The list of users. What it shows is always the same; only the administrator is there. */
async function users(page: Page, stage: Stage, list: object[] = MEMBERS): Promise<void> {
  await signInAsAdmin(page, stage)
  await answer(page, '**/api/v1/admin/users?*', { users: list, total: list.length && 42 })
  await page.goto('/account/users?skip=10')
  await page.locator('main search').waitFor()
}

async function adding(page: Page, stage: Stage): Promise<void> {
  await users(page, stage)
  await page.locator('.toolbar > button').click()
  await dialog(page)
}

async function dialogOf(page: Page, stage: Stage, row: number, button: number): Promise<void> {
  await users(page, stage)
  await page.locator('tbody tr').nth(row).locator('button').nth(button).click()
  await dialog(page)
}

async function added(page: Page, stage: Stage): Promise<void> {
  await users(page, stage)
  await page.route('**/api/v1/admin/users', (route) => route.fulfill({ status: 201, json: MEMBERS[1] }))
  await page.locator('.toolbar > button').click()
  await page.locator('dialog [name=username]').fill('bob-')
  await page.locator('dialog [name=email]').fill('bob@example.org')
  await page.locator('dialog button[type=submit]').click()
  await page.locator('dialog .link-box').waitFor()
}

async function instanceSettings(page: Page, stage: Stage): Promise<void> {
  await signInAsAdmin(page, stage)
  await page.goto('/account/instance-settings')
  await page.locator('fieldset').first().waitFor()
}

/** An instance without an administrator, whatever the stage is by now. */
async function setUp(page: Page): Promise<void> {
  await withSettings(page, { setUp: true })
  await page.goto('/setup')
  await page.locator('[name=code]').waitFor()
}

/** Screens that show what they were told: where they are, and what they ask for. */
const LISTS: Record<string, [path: string, call: string]> = {
  account: ['/account', '**/api/v1/account/tokens'],
  'account settings': ['/account/account-settings', '**/api/v1/account/sessions'],
  'own secrets': ['/account/secrets', '**/api/v1/secret?*'],
  users: ['/account/users', '**/api/v1/admin/users?*'],
  'instance settings': ['/account/instance-settings', '**/api/v1/admin/settings'],
}

const failedLists = Object.entries(LISTS).map(([name, [path, call]]): [string, Reach] => [
  `${name}, not fetched`,
  async (page, stage) => {
    await signInAsAdmin(page, stage)
    await failWith(page, call, 500, FAILED)
    await page.goto(path)
    await page.locator('main .notice.bad, main details').waitFor()
  },
])

const closedLists = ['users', 'instance settings'].map((name): [string, Reach] => [
  `${name}, for administrators`,
  async (page, stage) => {
    await signUp(page, stage)
    await page.goto(LISTS[name]?.[0] ?? '')
    await page.locator('.notice').waitFor()
  },
])

export const STATES_OF_PEOPLE: Record<string, Reach> = {
  'signing in': async (page) => {
    await page.goto('/signin?to=/account')
    await page.locator('[name=password]').waitFor()
  },
  'signing in, further ways': async (page) => {
    await withSettings(page, { providers: PROVIDERS })
    await page.goto('/signin')
    await page.locator('a.button').nth(1).waitFor()
  },
  'signing in, at a proxy alone': async (page) => {
    await withSettings(page, { providers: [PROXY, COMPANY] })
    await page.goto('/signin')
    await page.locator('.card .button').nth(1).waitFor()
  },
  'signing in, wrong password': async (page) => {
    await page.goto('/signin')
    await page.locator('[name=username]').fill('alice')
    await page.locator('[name=password]').fill('wrong')
    await submit(page)
    await page.locator('.notice.bad').waitFor()
  },
  'signing in, refused at another site': async (page) => {
    await page.goto('/signin?error=auth.account_exists')
    await page.locator('.notice.bad').waitFor()
  },
  'signing in, without users and an administrator': async (page) => {
    await withSettings(page, { disable_users: true, signUp: false, setUp: true })
    await page.goto('/signin')
    await page.locator('.notice').nth(1).waitFor()
  },
  'signing up': signUpForm,
  'signing up, with problems': async (page) => {
    await page.goto('/signup')
    await submit(page)
    await page.locator('.problems').waitFor()
  },
  'signing up, name taken': async (page) => {
    await failWith(page, '**/authentication/signup', 409, { code: 'user.name_taken', field: 'username' })
    await signUpForm(page)
    await submit(page)
    await page.locator('.notice.bad').waitFor()
  },
  'signing up, under way': async (page) => {
    await silence(page, '**/authentication/signup')
    await signUpForm(page)
    await submit(page)
    await page.locator('button[type=submit][aria-disabled=true]').waitFor()
  },
  'signing up, closed': async (page) => {
    await withSettings(page, { signUp: false, setUp: false })
    await page.goto('/signup')
    await page.locator('.notice').waitFor()
  },
  'signed out': async (page) => {
    await page.goto('/signout')
    await page.locator('.actions').waitFor()
  },
  'session ends soon': nearTheEnd,
  'session ends soon, not made longer': async (page, stage) => {
    await nearTheEnd(page, stage)
    await failWith(page, '**/authentication/refresh', 500, FAILED)
    await page.locator('.session-prompt .primary').click()
    await page.locator('.session-prompt .error').waitFor()
  },
  'account, no tokens': async (page, stage) => {
    await signUp(page, stage)
    await page.goto('/account')
    await h1(page)
  },
  'account, password by somebody else, tokens': async (page, stage) => {
    await signUp(page, stage)
    for (const name of ['backup script', 'a name that is as long as the server takes them, and not more'])
      await post(page, stage, '/account/tokens', { name, maxSecrets: 3, allowedIp: '10.0.0.0/8' })
    await alter(page, '**/api/v1/account', ({ user }) => ({ user: { ...user, role: 'admin', generated: true } }))
    await page.goto('/account?error=auth.identity_taken')
    await page.locator('table').waitFor()
  },
  'account, token asked': async (page, stage) => {
    await askForToken(page, stage)
    await page.locator('input[type=checkbox]').first().uncheck()
    await page.locator('input[type=checkbox]').nth(1).uncheck()
    await submit(page)
    await page.locator('input[name=name]').fill('backup script')
    await submit(page)
    await page.locator('fieldset .error').waitFor()
  },
  'account, token asked, limits wrong': async (page, stage) => {
    await askForToken(page, stage)
    await page.locator('input[type=checkbox]').nth(1).uncheck()
    await page.locator('input[name=name]').fill('build')
    await page.locator('input[name=maxSecrets]').fill('none')
    await submit(page)
    await page.locator('[aria-invalid]').waitFor()
  },
  'account, token made': async (page, stage) => {
    await askForToken(page, stage)
    await page.locator('input[name=name]').fill('backup script')
    await submit(page)
    await page.locator('.link-box').first().waitFor()
  },
  'account, token to be deleted': withToken,
  'account, token not deleted': async (page, stage) => {
    await withToken(page, stage)
    await failWith(page, '**/api/v1/account/tokens', 500, FAILED)
    await page.locator('dialog[open] .danger').click()
    await page.locator('.notice.bad').waitFor()
  },
  'account, another screen on its way': async (page, stage) => {
    await signUp(page, stage)
    await silence(page, '**/api/v1/secret?*')
    await page.goto('/account')
    await h1(page)
    await follow(page, '/account/secrets')
    await page.locator('.pending').waitFor()
  },
  'own secrets, none': async (page, stage) => {
    await signUp(page, stage)
    await page.goto('/account/secrets')
    await page.locator('.card').waitFor()
  },
  'own secrets': ownSecrets,
  'own secrets, with pages': async (page, stage) => {
    await signUp(page, stage)
    await answer(page, '**/api/v1/secret?*', OWN_SECRETS)
    await page.goto('/account/secrets?skip=50')
    await page.locator('nav.actions a').nth(1).waitFor()
  },
  'own secrets, one to be burned': async (page, stage) => {
    await ownSecrets(page, stage)
    await page.locator('tbody .danger').first().click()
    await dialog(page)
  },
  'own secrets, one burned': async (page, stage) => {
    await ownSecrets(page, stage)
    await page.locator('tbody .danger').first().click()
    await page.locator('dialog[open] .danger').click()
    await page.locator('.status').filter({ hasText: /./ }).waitFor()
  },
  'own secrets, one not burned': async (page, stage) => {
    await ownSecrets(page, stage)
    await failWith(page, '**/burn', 500, FAILED)
    await page.locator('tbody .danger').first().click()
    await page.locator('dialog[open] .danger').click()
    await page.locator('.notice.bad').waitFor()
  },
  'account settings': accountSettings,
  'account settings, wrong': async (page, stage) => {
    await accountSettings(page, stage)
    await page.locator('[name=newPassword]').fill('four')
    await page.locator('main button[type=submit]').first().click()
    await page.locator('.error').first().waitFor()
  },
  'account settings, refused': async (page, stage) => {
    await accountSettings(page, stage)
    await page.locator('[name=email]').fill('other@example.org')
    await page.locator('[name=currentPassword]').fill('not-the-password')
    await page.locator('main button[type=submit]').first().click()
    await page.locator('.error').waitFor()
  },
  'account settings, updated, session ended': async (page, stage) => {
    await accountSettings(page, stage)
    await page.locator('.sessions button').first().click()
    await page.locator('.status').filter({ hasText: /./ }).waitFor()
    await page.locator('[name=currentPassword]').fill(PASSWORD)
    await page.locator('main button[type=submit]').first().click()
    await page.locator('.status').nth(1).filter({ hasText: /./ }).waitFor()
  },
  'account settings, session not ended': async (page, stage) => {
    await accountSettings(page, stage)
    await failWith(page, '**/api/v1/account/sessions', 500, FAILED)
    await page.locator('.sessions button').first().click()
    await page.locator('.notice.bad').waitFor()
  },
  'account settings, password elsewhere': async (page, stage) => {
    await alter(page, '**/api/v1/account', ({ user }) => ({ user: { ...user, hasPassword: false } }))
    await connections(page, stage)
  },
  'account settings, last way in not disconnected': async (page, stage) => {
    await connections(page, stage)
    await failWith(page, '**/api/v1/account/identities', 409, { code: 'auth.last_way' })
    await page.locator('.sessions').last().locator('button').first().click()
    await page.locator('dialog[open] .danger').click()
    await page.locator('.notice.bad').waitFor()
  },
  'account settings, account to be deleted': async (page, stage) => {
    await accountSettings(page, stage)
    await page.locator('main .card > p > .danger').last().click()
    await page.locator('dialog[open] .danger').click()
    await page.locator('dialog[open] .error').waitFor()
  },
  'account, menu open': async (page, stage) => {
    await signUp(page, stage)
    await page.goto('/account/terms')
    await page.locator('.prose').waitFor()
    await page.locator('.side-button button').click()
    await page.locator('.panel a:focus').waitFor()
  },
  'account, privacy': async (page, stage) => {
    await signUp(page, stage)
    await page.goto('/account/privacy')
    await page.locator('.prose').waitFor()
  },
  ...Object.fromEntries([...failedLists, ...closedLists]),
  users: (page, stage) => users(page, stage),
  'users, nobody found': async (page, stage) => {
    await users(page, stage, [])
    await page.locator('main p[role=status]').waitFor()
  },
  'users, the own one locked': async (page, stage) => {
    await users(page, stage)
    await page.locator('.locked').click({ force: true })
    await page.locator('.notice').waitFor()
  },
  'users, adding': adding,
  'users, adding with problems': async (page, stage) => {
    await adding(page, stage)
    await page.locator('dialog input[type=radio]').last().check()
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog .error').nth(2).waitFor()
  },
  'users, added': added,
  'users, added, link made, asking before it closes': async (page, stage) => {
    await added(page, stage)
    await page.locator('dialog .actions > button:not(.swap)').first().click()
    await page.locator('dialog .link-box').nth(1).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog .notice.warn').waitFor()
  },
  'users, editing somebody': (page, stage) => dialogOf(page, stage, 1, 0),
  'users, editing the own account': (page, stage) => dialogOf(page, stage, 0, 0),
  'users, editing, refused': async (page, stage) => {
    await dialogOf(page, stage, 1, 0)
    await failWith(page, '**/api/v1/admin/users', 409, { code: 'user.email_taken', field: 'email' })
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog .error').waitFor()
  },
  'users, changed': async (page, stage) => {
    await dialogOf(page, stage, 1, 0)
    await answer(page, '**/api/v1/admin/users', MEMBERS[1])
    await page.locator('dialog button[type=submit]').click()
    await page.locator('.notice.good').waitFor()
  },
  'users, signing somebody out': (page, stage) => dialogOf(page, stage, 1, 1),
  'users, deleting somebody': (page, stage) => dialogOf(page, stage, 1, 2),
  'users, deleting under another name': async (page, stage) => {
    await dialogOf(page, stage, 1, 2)
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog .error').waitFor()
  },
  'users, asking before a role is taken': async (page, stage) => {
    await signInAsAdmin(page, stage)
    const other = { ...MEMBERS[1], role: 'admin' }
    await answer(page, '**/api/v1/admin/users?*', { users: [other], total: 1 })
    await page.goto('/account/users')
    await page.locator('tbody button').first().click()
    await page.locator('dialog select').selectOption('user')
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog dialog[open]').waitFor()
  },
  'instance settings': instanceSettings,
  'instance settings, changed and refused': async (page, stage) => {
    await instanceSettings(page, stage)
    await failWith(page, '**/api/v1/admin/settings', 500, FAILED)
    await page.locator('input[type=checkbox]').first().check()
    await submit(page)
    await page.locator('.notice.bad').waitFor()
    await page.locator('[name=domains]').fill('alice@example.org, bob@example.com')
    await submit(page)
    await page.locator('.error').waitFor()
  },
  'instance settings, saved': async (page, stage) => {
    await instanceSettings(page, stage)
    await page.route('**/api/v1/admin/settings', (route) => route.fulfill({ json: route.request().postDataJSON() }))
    await page.locator('input[type=checkbox]').first().check()
    await submit(page)
    await page.locator('.notice.good').waitFor()
  },
  'instance settings, asking before users are disabled': async (page, stage) => {
    await instanceSettings(page, stage)
    await page.locator('input[type=checkbox]').nth(1).check()
    await submit(page)
    await dialog(page)
  },
  'instance settings, asking before changes are left': async (page, stage) => {
    await instanceSettings(page, stage)
    await page.locator('input[type=checkbox]').first().check()
    await follow(page, '/account/users')
    await dialog(page)
  },
  'set-up': setUp,
  'set-up, with problems': async (page) => {
    await setUp(page)
    await submit(page)
    await page.locator('.error').nth(3).waitFor()
  },
  'set-up, wrong code': async (page) => {
    await setUp(page)
    await failWith(page, '**/authentication/setup', 403, { code: 'auth.setup_code', field: 'code' })
    await page.locator('[name=code]').fill('x')
    await page.locator('[name=username]').fill('first')
    await page.locator('[name=email]').fill('first@example.org')
    await page.locator('[name=password]').fill(PASSWORD)
    await submit(page)
    await page.locator('.notice.bad').waitFor()
  },
  'set-up over': async (page) => {
    await withSettings(page, { setUp: false })
    await page.goto('/setup')
    await page.locator('.notice').waitFor()
  },
}
