/** The account area: who gets in, its menu, and what people do there with what is theirs. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PASSWORD, signUp } from './members.js'
import { inChromium, type Stage, setStage } from './stage.js'

const PHONE = { viewport: { width: 360, height: 800 } }

inChromium('the account area', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage()
  })
  afterAll(() => stage.close())
  afterEach(() => expect(stage.takeProblems()).toEqual([]))

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  const menu = (page: Page) => page.getByRole('complementary', { name: 'Account menu' })
  const current = (page: Page) => menu(page).locator('[aria-current]').allTextContents()

  test('whoever is not signed in does that first, and comes back to where they wanted to be', async () => {
    const member = await stage.visit()
    const username = await signUp(member, stage)
    const page = await stage.visit()
    await page.goto('/account/terms')
    await heading(page, 'Sign in')
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Terms')
    expect(page.url()).toBe(`${stage.url}/account/terms`)
    expect(await current(page)).toEqual(['Terms'])
  })

  test('whoever was signed out elsewhere is told so', async () => {
    const page = await stage.visit()
    await signUp(page, stage)
    await page.context().clearCookies({ name: 'session' })
    await page.goto('/account')
    await page.getByText('Your session ended.').waitFor()
    await page.getByRole('link', { name: 'Sign in again' }).waitFor()
  })

  test('the menu says where one is; what only administrators do is not in it', async () => {
    const page = await stage.visit()
    const username = await signUp(page, stage)
    await page.goto('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Account' }).click()
    await heading(page, `Hi, ${username}`)
    expect(await current(page)).toEqual(['Account'])
    expect(await menu(page).getByRole('link').allTextContents()).toEqual([
      ...['Account', 'Secrets', 'Account settings', 'Public list', 'Privacy', 'Terms', 'Sign out'],
    ])
    await menu(page).getByRole('link', { name: 'Privacy' }).click()
    await heading(page, 'Privacy')
    expect(await current(page)).toEqual(['Privacy'])
    expect(await page.title()).toBe('Privacy · Mayfly')
    await menu(page).getByRole('link', { name: 'Public list' }).click()
    await heading(page, 'Public secrets')
    expect(await menu(page).count()).toBe(0)
  })

  test('on a phone the menu covers the screen: keys open, walk and close it, and reach nothing below', async () => {
    const page = await stage.visit(PHONE)
    await signUp(page, stage)
    await page.goto('/account/privacy')
    await heading(page, 'Privacy')
    expect(await menu(page).count()).toBe(0)
    const open = page.getByRole('button', { name: 'Open account menu' })
    await open.focus()
    await page.keyboard.press('Enter')
    await menu(page).locator('a:focus').waitFor()
    expect(await page.locator('main').evaluate((main: { inert: boolean }) => main.inert)).toBe(true)
    await page.keyboard.press('Escape')
    await menu(page).waitFor({ state: 'hidden' })
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Open account menu')
    await page.keyboard.press('Enter')
    // On what is left of the screen.
    await page.mouse.click(340, 400)
    await menu(page).waitFor({ state: 'hidden' })
    await open.click()
    await menu(page).getByRole('link', { name: 'Terms' }).click()
    await heading(page, 'Terms')
    await menu(page).waitFor({ state: 'hidden' })
    await open.click()
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(() => page.locator('main').evaluate((main: { inert: boolean }) => main.inert)).toBe(false)
    await menu(page).waitFor()
  })
})
