/** The main story in a browser: create a secret with a password, open it once, and find it gone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { EMPTY_STORAGE, readStorage } from '#test/browser/browser-storage'
import { needs } from '#test/needs'

const TEXT = 'DB_PASSWORD=correct-é-☃'
const PASSWORD = 'amber-river'

describe('sharing a secret in a browser', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())

  test('a secret with a password opens once, for the recipient alone, and leaves nothing in the browser', async () => {
    const sender = await fixture.newVisitor()
    await sender.goto('/')
    await sender.getByLabel('Your secret').fill(TEXT)
    await sender.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await sender.getByRole('button', { name: 'Create link' }).click()
    await sender.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    const link = (await sender.locator('.link-box').first().textContent()) as string

    const recipient = await fixture.newVisitor()
    await recipient.goto(link)
    await recipient.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await recipient.getByRole('button', { name: 'Reveal secret' }).click()
    await recipient.getByText('This was the last view.').waitFor()
    await expect.poll(() => recipient.locator('.secret').textContent()).toBe(TEXT)
    // Until then, this tab can open it again.
    await recipient.getByRole('button', { name: 'Copy', exact: true }).click()
    await recipient.getByText('The secret is deleted from the server.').waitFor()

    await recipient.reload()
    await recipient.getByRole('heading', { name: 'This secret is no longer available' }).waitFor()
    for (const page of [sender, recipient]) expect(await readStorage(page)).toBe(EMPTY_STORAGE)
    // Console errors and requests to other sites are among them.
    expect(fixture.takeErrors()).toEqual([])
  })
})
