/** Settings of a plugin in the form of instance settings. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signInAsAdmin } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'

describe('settings of plugins', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    const plugin = join(ROOT, 'test/fixtures/plugins/board.js')
    fixture = await startBrowserFixture({ env: { MAYFLY_PLUGINS: `web,${plugin}` } })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors().filter((error) => !/status of 400/.test(error))).toEqual([]))

  test('fields follow from the types, refuse invalid values, and save with the other settings', async () => {
    const page = await fixture.newVisitor()
    await signInAsAdmin(page, fixture)
    await page.goto('/account/instance-settings')
    const field = (label: string) => page.getByLabel(label, { exact: true })
    const save = () => page.getByRole('button', { name: 'Save settings', exact: true }).click()
    const board = page.locator('fieldset', { hasText: 'Open the board' })
    await board.getByRole('heading').waitFor()
    expect((await board.getByRole('heading').textContent())?.replace(/[\u2066-\u2069]/g, '')).toBe('Plugin board')
    expect(await board.locator('.hint').first().textContent()).toBe('\u2068Everyone can see it.\u2069')
    await field('Open the board').check()
    await field('Days').fill('31')
    await field('Color').selectOption('red')
    await page.locator('[name="board.code"]').fill('ABC')
    await save()
    await page.getByText('Enter a whole number from 1 to 30.').waitFor()
    await expect.poll(() => field('Days').evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true)
    await field('Days').fill('9')
    await field('Read-only instance').check()
    await save()
    await page.getByText('must have small letters only').waitFor()
    await page.locator('[name="board.code"]').fill('abc')
    await page.getByText('5 unsaved changes').waitFor()
    await save()
    await page.getByText('Settings updated').waitFor()
    await page.reload()
    await field('Days').waitFor()
    expect(await field('Days').inputValue()).toBe('9')
    expect(await field('Color').inputValue()).toBe('red')
    expect(await field('Open the board').isChecked()).toBe(true)
    expect(await field('Read-only instance').isChecked()).toBe(true)
    await field('Days').fill('8')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    expect(await field('Days').inputValue()).toBe('9')
  })
})
