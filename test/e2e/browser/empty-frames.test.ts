/** Between two screens, no frame is without content: each is recorded while the page changes. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { createSecret } from '#test/browser/secrets'
import { needs } from '#test/needs'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'

/** Keeps what the page shows in each frame. */
const RECORD = `window.frames_ = []
  const record = () => {
    window.frames_.push(document.querySelector('main').innerText.trim())
    requestAnimationFrame(record)
  }
  requestAnimationFrame(record)`

describe('frames', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ settings: [REQUESTS_FOR_ANYONE] })
  })
  afterAll(() => fixture.close())

  const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  const click = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()
  const follow = (name: string) => (page: Page) => page.getByRole('link', { name, exact: true }).first().click()

  async function typeText(page: Page): Promise<void> {
    await page.goto('/')
    await page.locator('textarea:focus:not(#early-text)').waitFor()
    await page.getByLabel('Your secret').fill('é ☃')
  }
  async function openSecret(page: Page): Promise<void> {
    await page.goto((await createSecret(fixture)).link)
    await page.getByRole('button', { name: 'Reveal secret' }).waitFor()
  }
  async function openAccount(page: Page): Promise<void> {
    await signUp(page, fixture)
    await page.goto('/account/account')
    await page.getByRole('heading', { level: 1 }).waitFor()
  }

  test.each([
    ['the form and the link', typeText, [click('Create link')], 'Your link is ready'],
    ['a sealed and an opened secret', openSecret, [click('Reveal secret')], 'Your secret'],
    ['two tabs', typeText, [follow('Request'), heading('Request a secret'), follow('Share')], 'Share a secret'],
    ['two pages', typeText, [follow('Public list'), heading('Public secrets'), follow('Sign in')], 'Sign in'],
    [
      'the pages of an account',
      openAccount,
      [follow('Secrets'), heading('Your secrets'), follow('Account settings')],
      'Account settings',
    ],
  ] satisfies [string, Step, Step[], string][])('none is empty between %s', async (_, open, steps, last) => {
    const page = await fixture.newVisitor()
    await open(page)
    await page.evaluate(RECORD)
    for (const step of steps) await step(page)
    await heading(last)(page)
    const frames = await page.evaluate<string[]>('window.frames_')
    expect(frames.length).toBeGreaterThan(1)
    expect(frames.filter((text) => text === '')).toEqual([])
    expect(fixture.takeErrors()).toEqual([])
  })
})

type Step = (page: Page) => Promise<unknown>
