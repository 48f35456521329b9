/** Sharing a secret: from the text to the link to the recipient. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { accessProof } from '#shared/crypto/keys'
import { parseFragment } from '#shared/link'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { EMPTY_STORAGE, readStorage } from '#test/browser/browser-storage'
import { alterResponse, readClipboard, waitForComposer } from '#test/browser/page-actions'
import { client, viewsLeft } from '#test/browser/secrets'
import { needs } from '#test/needs'

const TEXT = 'DB_PASSWORD=correct-é-☃\n\tsecond line  '
const CLAIM = 'A'.repeat(22)

describe('sharing a secret', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture()
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  test('a link is created and copied, opened once, and gone for everyone', async () => {
    const sender = await fixture.newVisitor()
    await sender.goto('/')
    await sender.getByLabel('Your secret').fill(TEXT)
    await sender.getByRole('button', { name: 'Create link' }).click()
    await sender.getByText('Link copied.').waitFor()
    const link = await readClipboard(sender)
    await expect.poll(() => sender.locator('.link-box').first().textContent()).toBe(link)
    await expect.poll(() => sender.locator('h1').evaluate((h1) => h1.matches(':focus'))).toBe(true)
    await expect.poll(() => sender.title()).toBe('Your link is ready · Mayfly')

    const reader = await fixture.newVisitor()
    await reader.goto(link)
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await reader.getByText('This was the last view.').waitFor()
    await expect.poll(() => reader.locator('.secret').textContent()).toBe(TEXT)
    await expect.poll(() => reader.locator('h1').evaluate((h1) => h1.matches(':focus'))).toBe(true)
    expect(new URL(reader.url()).hash).toBe('')

    // Until it is copied, a reload would show it again.
    await reader.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => readClipboard(reader)).toBe(TEXT)
    await reader.reload()
    await reader.getByRole('heading', { name: 'This secret is no longer available' }).waitFor()
    await sender.goto(link)
    await sender.getByRole('heading', { name: 'This secret is no longer available' }).waitFor()
    for (const page of [sender, reader]) expect(await readStorage(page)).toBe(EMPTY_STORAGE)
  })

  test('a receipt tells the sender that the secret was opened elsewhere', async () => {
    const sender = await fixture.newVisitor()
    await sender.goto('/')
    await sender.getByLabel('Your secret').fill(TEXT)
    await sender.getByText('More options').click()
    await sender.getByLabel('Create a receipt').check()
    await sender.getByRole('button', { name: 'Create link' }).click()
    await sender.getByRole('button', { name: 'Receipt link', expanded: true }).waitFor()
    const { pathname, hash } = new URL((await sender.locator('.link-box').first().textContent()) as string)
    const id = pathname.split('/')[2] as string
    await sender.getByRole('button', { name: 'Copy receipt link' }).click()
    let receipt = ''
    await expect.poll(async () => (receipt = await readClipboard(sender))).toContain('/receipt#1')

    await sender.goto(receipt)
    await sender.getByText('Not opened yet').waitFor()
    await client(fixture).view(id, { access: accessProof(parseFragment(hash)), claim: CLAIM })
    await sender.getByRole('button', { name: 'Check again' }).click()
    await sender.getByText('Opened for the last time').waitFor()
    await sender.getByText('1 of 1').waitFor()
    await sender.getByRole('heading', { name: 'When it was opened' }).waitFor()
    expect(await sender.locator('main').textContent()).not.toContain(id)
  })

  test('every option takes effect, and the receipt shows wrong passwords and that the secret expired unread', async () => {
    const sender = await fixture.newVisitor()
    await sender.goto('/')
    await sender.getByLabel('Your secret').fill(TEXT)
    await sender.getByLabel('Expires after').selectOption('custom')
    await sender.getByLabel('Amount').fill('90')
    await sender.getByLabel('Unit').selectOption('second')
    await sender.getByRole('button', { name: 'More views' }).click()
    await sender.getByRole('button', { name: 'Generate a password' }).click()
    const password = sender.getByRole('textbox', { name: /^Password/ })
    await expect.poll(() => password.inputValue()).toMatch(/^([a-z]{3,7}-){5}\d\d$/)
    // The sender has to read it out to the recipient.
    expect(await password.getAttribute('type')).toBe('text')
    await sender.getByText('More options').click()
    await sender.getByLabel('Title').fill('Staging “database”')
    await sender.getByLabel('Allowed IP').fill('127.0.0.0/8')
    await sender.getByLabel('Create a receipt').check()
    const summary = 'Deleted after 2 views or in 90 seconds, whichever comes first. Needs the password.'
    await expect.poll(async () => await sender.locator('.summary').textContent()).toContain(summary)
    await sender.getByRole('button', { name: 'Create link' }).click()
    await sender.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    await expect.poll(() => sender.locator('.facts').textContent()).toMatch(/^Password.*127\.0\.0\.0\/8/)

    const [link = '', receipt = ''] = await sender.locator('.link-box').allTextContents()
    const { pathname, hash } = new URL(link)
    const id = pathname.split('/')[2] as string
    const access = accessProof(parseFragment(hash))
    const { expiresAt } = await client(fixture).peek(id, access)
    expect(expiresAt - Date.now()).toBeLessThanOrEqual(90_000)
    for (let tries = 0; tries < 3; tries++) {
      const view = client(fixture).view(id, { access, claim: CLAIM, password: 'A'.repeat(43) })
      await expect(view).rejects.toMatchObject({ code: 'secret.password_wrong' })
    }

    const reader = await fixture.newVisitor()
    await reader.goto(link)
    await reader.getByRole('textbox', { name: 'Password' }).fill(await passwordOf())
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await reader.getByRole('heading', { name: 'Staging “database”' }).waitFor()
    await expect.poll(() => reader.locator('.secret').textContent()).toBe(TEXT)
    await reader.getByText('1 view left until').waitFor()
    // The title of the window does not contain the title of the secret.
    await expect.poll(() => reader.title()).toBe('Your secret · Mayfly')

    await sender.goto(receipt)
    const facts = () => sender.locator('.facts').textContent()
    await expect.poll(facts).toMatch(/1 of 2.*Wrong passwords or codes3, last: /)
    // `core/http/receipts` proves that the server says so.
    const ended = { state: 'expired', views: 0, endedAt: Date.now() }
    await alterResponse(sender, '**/api/v1/receipt', (json) => ({ ...json, ...ended }))
    await sender.getByRole('button', { name: 'Check again' }).click()
    await expect.poll(facts).toMatch(/Expired unread.*0 of 2.*Wrong passwords or codes3, last: /)

    async function passwordOf(): Promise<string> {
      await sender.getByRole('button', { name: 'Copy password' }).click()
      await sender.getByText('Copied').first().waitFor()
      return readClipboard(sender)
    }
  })

  test('Back leads to an empty composer and from another page to the link, which can still be burned', async () => {
    const sender = await fixture.newVisitor()
    const links: string[] = []
    const text = sender.getByLabel('Your secret')
    const create = async () => {
      await text.fill('soon forgotten')
      await sender.getByRole('button', { name: 'Create link' }).click()
      await sender.getByRole('heading', { name: 'Your link is ready' }).waitFor()
      links.push((await sender.locator('.link-box').first().textContent()) as string)
    }
    await sender.goto('/')
    await create()
    await sender.goBack()
    await expect.poll(() => text.inputValue()).toBe('')
    await sender.goForward()
    await sender.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    await sender.getByRole('button', { name: 'Create another' }).click()
    await expect.poll(() => text.inputValue()).toBe('')
    await create()
    await sender.getByRole('link', { name: 'Privacy' }).first().click()
    await sender.getByRole('heading', { name: 'Privacy', exact: true }).waitFor()
    await sender.goBack()
    const shown = sender.locator('.link-box').first()
    await expect.poll(() => shown.textContent()).toBe(links[1])
    await sender.goBack()
    await sender.goBack()
    await expect.poll(() => shown.textContent()).toBe(links[0])
    // Nothing of it is stored.
    expect(await readStorage(sender)).toBe(EMPTY_STORAGE)
    expect(await sender.evaluate('JSON.stringify(history.state)')).not.toContain(new URL(links[0] as string).hash)
    const secret = { link: links[0] as string, id: new URL(links[0] as string).pathname.split('/')[2] as string }
    await sender.getByRole('button', { name: 'Burn this secret' }).click()
    await expect
      .poll(() => sender.getByRole('button', { name: 'Keep it' }).evaluate((each) => each.matches(':focus')))
      .toBe(true)
    await sender.keyboard.press('Escape')
    await expect.poll(() => viewsLeft(fixture, secret)).toBe(1)
    await sender.getByRole('button', { name: 'Burn this secret' }).click()
    await sender.getByRole('button', { name: 'Burn', exact: true }).click()
    await sender.getByRole('heading', { name: 'Secret burned' }).waitFor()
    await expect.poll(() => viewsLeft(fixture, secret)).toBeNull()
    await sender.getByRole('link', { name: 'Privacy' }).first().click()
    await sender.getByRole('heading', { name: 'Privacy', exact: true }).waitFor()
    await sender.goBack()
    await sender.getByRole('heading', { name: 'Secret burned' }).waitFor()
    await sender.reload()
    await expect.poll(() => text.inputValue()).toBe('')
  })

  test('keys copy the link, list the keys and start a new secret, unless they are turned off', async () => {
    const page = await fixture.newVisitor()
    const create = async () => {
      await page.getByLabel('Your secret').fill('c n ?')
      await page.getByRole('button', { name: 'Create link' }).click()
      await page.getByText('Link copied.').waitFor()
    }
    await page.goto('/')
    await create()
    const link = await readClipboard(page)
    await page.getByRole('button', { name: 'Message', exact: true }).click()
    await page.getByRole('button', { name: 'Copy message' }).click()
    await expect.poll(() => readClipboard(page)).not.toBe(link)
    await page.keyboard.press('c')
    await expect.poll(() => readClipboard(page)).toBe(link)
    await page.keyboard.press('?')
    const dialog = page.locator('dialog[open]')
    await dialog.getByText('Copy link').waitFor()
    await page.keyboard.press('n')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('n')
    await waitForComposer(page)

    await create()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.shortcut').isVisible()).toBe(false)
    expect(await page.locator('.link-box').first().isVisible()).toBe(true)
    await page.emulateMedia({ media: null })
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await dialog.getByLabel('Use single keys').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    expect(await dialog.count()).toBe(0)
  })

  test('link and key are sent separately, and the QR code can be saved', async () => {
    const sender = await fixture.newVisitor()
    await sender.goto('/')
    await sender.getByLabel('Your secret').fill('in two halves')
    await sender.getByRole('button', { name: 'Create link' }).click()
    await sender.getByRole('button', { name: 'Separate key' }).click()
    const [link, url, key] = await sender.locator('.link-box').allTextContents()
    expect(url).toMatch(/#0$/)
    expect(link).toBe(`${url?.slice(0, -1)}${key}`)
    await sender.getByRole('button', { name: 'QR code' }).click()
    await sender.getByRole('img', { name: 'QR code of the link above' }).waitFor()
    for (const kind of ['PNG', 'SVG']) {
      const [download] = await Promise.all([
        sender.waitForEvent('download'),
        sender.getByRole('button', { name: `Download ${kind}` }).click(),
      ])
      expect(download.suggestedFilename()).toBe(`link.${kind.toLowerCase()}`)
    }

    await sender.goto(url as string)
    await sender.getByLabel('Decryption key').fill(`  “${key}” `)
    await sender.getByRole('button', { name: 'Reveal secret' }).click()
    await sender.getByRole('textbox', { name: 'Secret' }).waitFor()
    await expect.poll(() => sender.locator('.secret').textContent()).toBe('in two halves')
  })
})
