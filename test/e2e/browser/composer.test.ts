/** The composer: validation, errors, and no typed text is ever lost. */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { alterResponse, readClipboard, runClockUntil, waitForComposer, withSettings } from '#test/browser/page-actions'
import { needs } from '#test/needs'

const TEXT = 'typed with care, é ☃'

describe('the composer', needs('chromium'), () => {
  let fixture: BrowserFixture
  let shared: Page
  beforeAll(async () => {
    fixture = await startBrowserFixture()
    shared = await fixture.newVisitor()
  })
  afterAll(() => fixture.close())
  afterEach(async () => {
    await shared.unrouteAll({ behavior: 'ignoreErrors' })
    // The next form starts with the defaults.
    await shared.evaluate("localStorage.removeItem('last-options')")
    expect(fixture.takeErrors()).toEqual([])
  })

  /** The composer of a visitor whom the tests share, unless one of them changes more than routes. */
  async function composer(page: Page = shared): Promise<Page> {
    await page.goto('/')
    await waitForComposer(page)
    return page
  }
  const create = (page: Page) => page.getByRole('button', { name: 'Create link' }).click()
  const text = (page: Page) => page.getByLabel('Your secret')
  const focused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()
  /** `body`: a string stands for a response of other software. */
  const refuse = (page: Page, status: number, body: object | string) =>
    page.route('**/api/v1/secret', (route) =>
      route.fulfill({
        status,
        body: typeof body === 'string' ? body : JSON.stringify({ statusCode: status, error: 'x', ...body }),
      }),
    )

  /** Opens the page without its scripts until the returned function is called. */
  async function holdScripts(page: Page): Promise<() => void> {
    let start: () => void = () => {}
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    await page.route('**/assets/*.js', async (route) => {
      await started
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    return start
  }

  test('a slow creation disables the fields after the button answers, and can be canceled and started again', async () => {
    const page = await composer()
    const keys: (string | undefined)[] = []
    await page.route('**/api/v1/secret', (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      // The first two requests are never answered.
      if (keys.length > 2) return route.continue()
    })
    await text(page).fill(TEXT)
    const views = page.getByLabel('Views', { exact: true })
    const fields = [views, page.getByLabel('Expires after'), page.getByRole('textbox', { name: 'Password' })]
    const files = page.locator('input[type=file]')
    // One call of an observer for each render of React.
    const changes = page.evaluate(`new Promise((resolve) => {
      const found = []
      const observer = new MutationObserver((records) => {
        found.push(records.map(({ target }) => target.nodeName).filter((name) => /BUTTON|FIELDSET/.test(name))[0] ?? '')
        if (found.includes('FIELDSET')) resolve(found)
      })
      observer.observe(document.forms[0], { subtree: true, attributeFilter: ['aria-disabled', 'disabled'] })
    })`)
    await create(page)
    expect(await changes).toEqual(['BUTTON', 'FIELDSET'])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await focused(page, 'button[type=submit]')

    await views.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Creating…' }).waitFor()
    for (const field of [...fields, files]) await expect.poll(() => field.isDisabled()).toBe(true)
    await expect.poll(() => text(page).evaluate((area: { readOnly: boolean }) => area.readOnly)).toBe(true)
    await focused(page, 'button[type=submit]')
    await page.getByRole('button', { name: 'Cancel' }).click()
    for (const field of [text(page), ...fields, files]) await expect.poll(() => field.isEditable()).toBe(true)
    await focused(page, 'button[type=submit]')
    await expect.poll(() => text(page).inputValue()).toBe(TEXT)

    await create(page)
    const another = page.getByRole('button', { name: 'Create another' })
    await another.waitFor()
    expect(keys).toEqual([expect.stringMatching(/^.{20,}$/), keys[0], keys[0]])
    const first = page.evaluate(`new Promise((resolve) => {
      const button = [...document.querySelectorAll('button')].find((each) => each.textContent === 'Create another')
      const observer = new MutationObserver(() => button.isConnected || resolve('the form'))
      observer.observe(document.body, { subtree: true, childList: true })
      new MutationObserver(() => resolve('the button')).observe(button, { attributes: true })
    })`)
    await another.click()
    expect(await first, 'the button answers before the form is rendered').toBe('the button')
    await waitForComposer(page)
  })

  test('on a phone, the button is on the first screen and the icon of "Attach files" is in the middle of its label', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const page = await composer(await fixture.newVisitor(phone))
    const { y, height } = (await page.getByRole('button', { name: 'Create link' }).boundingBox()) ?? { y: 0, height: 0 }
    expect(y + height).toBeGreaterThan(0)
    expect(y + height).toBeLessThan(844)
    const middle = async (selector: string) => {
      const { y = 0, height = 0 } = (await page.locator(`.attach ${selector}`).boundingBox()) ?? {}
      return y + height / 2
    }
    expect(Math.abs((await middle('.icon')) - (await middle('label')))).toBeLessThan(1)
  })

  describe('with one form', () => {
    let form: Page
    beforeAll(async () => {
      await withSettings(shared, { address: '192.0.2.7' })
      form = await composer()
    })

    test('password managers neither fill in nor save the password of a secret', async () => {
      const field = form.getByRole('textbox', { name: 'Password' })
      expect(await field.getAttribute('autocomplete')).toBe('off')
      for (const name of ['data-1p-ignore', 'data-bwignore', 'data-lpignore']) {
        expect(await field.getAttribute(name), name).toBe('true')
      }
    })

    test('a generated password moves no field', async () => {
      const dice = form.getByRole('button', { name: 'Generate a password' })
      const before = await dice.boundingBox()
      await dice.click()
      await expect.poll(() => form.getByRole('textbox', { name: 'Password' }).inputValue()).not.toBe('')
      expect(await dice.boundingBox()).toEqual(before)
    })

    test('an empty secret is refused and the field focused', async () => {
      await form.getByRole('button', { name: 'More views' }).focus()
      await create(form)
      await form.getByText('Enter some text or attach a file.').waitFor()
      await focused(form, 'textarea')
      await expect.poll(() => form.title()).toBe('Error: Share a secret · Mayfly')
    })

    test('a problem disappears when it is solved, without moving the focus', async () => {
      await create(form)
      await form.getByText('Enter some text or attach a file.').waitFor()
      await focused(form, 'textarea[aria-invalid]')
      await form.getByLabel('Views', { exact: true }).fill('0')
      await create(form)
      await form.getByText('Enter a whole number from 1 to').waitFor()
      await form
        .locator('input[type=file]')
        .setInputFiles({ name: 'é.txt', mimeType: 'text/plain', buffer: Buffer.from('é') })
      await form.getByText('Enter some text or attach a file.').waitFor({ state: 'detached' })
      await form.getByText('Enter a whole number from 1 to').waitFor()
      await form.getByLabel('Views', { exact: true }).fill('2')
      await form.getByText('Enter a whole number from 1 to').waitFor({ state: 'detached' })
      await focused(form, '.stepper input')
      expect(await form.locator('[aria-invalid]').count()).toBe(0)
    })

    test('a number of views outside of 1 to 9,999 is refused', async () => {
      await text(form).fill(TEXT)
      const views = form.getByLabel('Views', { exact: true })
      const problem = form.getByText('Enter a whole number from 1 to 9,999.')
      for (const refused of ['0', '10000', '1.5', 'many', '']) {
        await views.fill(refused)
        await create(form)
        await problem.waitFor()
        await views.fill('1')
        await problem.waitFor({ state: 'detached' })
      }
    })

    test('visitors read that users may choose a later expiry, only where they choose the latest', async () => {
      const hint = form.getByText('Sign in to choose up to 28 days.')
      await expect.poll(() => hint.count()).toBe(0)
      await form.getByLabel('Expires after').selectOption('604800')
      await hint.waitFor()
      await form.getByLabel('Expires after').selectOption('3600')
      await expect.poll(() => hint.count()).toBe(0)
      await form.getByLabel('Expires after').selectOption('custom')
      await hint.waitFor()
    })

    test('a lifetime outside of 1 minute to 7 days is refused', async () => {
      await text(form).fill(TEXT)
      await form.getByLabel('Expires after').selectOption('custom')
      const problem = form.getByText('Enter a whole number. Allowed: 1 minute to 7 days.')
      for (const [amount, unit] of [
        ['59', 'second'],
        ['8', 'day'],
        ['1.5', 'hour'],
      ] as const) {
        await form.getByLabel('Amount').fill(amount)
        await form.getByLabel('Unit').selectOption(unit)
        await create(form)
        await problem.waitFor()
        await form.getByLabel('Amount').fill('1')
        await form.getByLabel('Unit').selectOption('hour')
        await problem.waitFor({ state: 'detached' })
      }
    })

    test('an unpaired surrogate is refused with a message', async () => {
      await text(form).evaluate((area: { value: string } & { dispatchEvent(event: Event): boolean }) => {
        area.value = 'half \ud800'
        area.dispatchEvent(new Event('input', { bubbles: true }))
      })
      await create(form)
      await form.getByText('The text contains an invalid character.').waitFor()
    })

    test('the allowed IP is validated beside its field, which is shown and focused, and warned about when it excludes the own one', async () => {
      await text(form).fill(TEXT)
      await form.getByText('More options').click()
      await form.getByLabel('Allowed IP').fill('300.1.1.1')
      await form.getByText('More options').click()
      await create(form)
      await form.getByText('Enter an IP address or range, such as').waitFor()
      await focused(form, 'input[aria-invalid]')
      await expect.poll(() => text(form).inputValue()).toBe(TEXT)
      const warning = form.getByText("isn't included. You can't open the link from here.")
      for (const [range, isWarned] of [
        ['10.0.0.0/8', true],
        ['192.0.2.0/24', false],
        ['2001:db8::1', true],
        ['192.0.2.', false],
      ] as const) {
        await form.getByLabel('Allowed IP').fill(range)
        await expect.poll(() => warning.count(), { message: range }).toBe(isWarned ? 1 : 0)
      }
    })

    test('a text over the size limit is refused before it is sent', async () => {
      await text(form).fill('é'.repeat(2 ** 19 + 1))
      await create(form)
      await form.getByText('This is too large. The limit is 1 MB.').waitFor()
    })

    test('a text field with a megabyte in one line has the style that is fast', async () => {
      await form.evaluate(`(() => {
        const field = document.querySelector('form textarea')
        const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')
        set.call(field, btoa('x'.repeat(2 ** 20 * 0.75 - 30)))
        field.dispatchEvent(new Event('input', { bubbles: true }))
        field.focus()
      })()`)
      // With `plaintext` or `content`, every key lays out the whole line again.
      const style = () =>
        form.evaluate(`(({ unicodeBidi, fieldSizing }) => [unicodeBidi, fieldSizing])(
          getComputedStyle(document.querySelector('form textarea')))`)
      await expect.poll(style).toEqual(['normal', 'fixed'])
    })
  })

  test('error responses of the server and of other software are reported and keep the text', async () => {
    const page = await composer()
    await text(page).fill(TEXT)
    for (const [status, body, message] of [
      [403, { code: 'settings.read_only', message: 'x' }, "This site is read-only. You can't create secrets."],
      [413, { code: 'request.too_large', message: 'x' }, 'This is too large for the server.'],
      [418, { code: 'teapot.new', message: 'A failure of a later version.' }, 'A failure of a later version.'],
      [413, 'Payload Too Large', 'This is too large for the server.'],
      [403, '{"message":"Only on weekdays, é."}', 'Only on weekdays, é.'],
      [429, { code: 'http.429', message: 'x', retryAfter: 252 }, 'Try again in 5 minutes.'],
    ] as const) {
      await refuse(page, status, body)
      await create(page)
      await page.getByRole('alert').getByText(message).first().waitFor()
      await expect.poll(() => page.title()).toBe('Error: Share a secret · Mayfly')
      await expect.poll(() => text(page).inputValue()).toBe(TEXT)
    }
  })

  test('a server error of a field is shown beside the field, and a changed draft gets a new idempotency key', async () => {
    const page = await composer()
    await refuse(page, 413, { code: 'request.too_large', message: 'too long for us', field: 'text' })
    await text(page).fill(TEXT)
    await create(page)
    await page.getByText('This is too large. The limit is').waitFor()
    await focused(page, 'textarea')
    await text(page).fill('shorter')
    const keys: (string | undefined)[] = []
    await page.route('**/api/v1/secret', (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      return route.fulfill({ status: 500, json: { statusCode: 500, error: 'x', code: 'server.error', message: 'x' } })
    })
    await create(page)
    await expect.poll(() => keys.length).toBe(1)
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'More views' }).click()
    await create(page)
    await expect.poll(() => keys.length).toBe(2)
    expect(new Set(keys).size).toBe(2)
  })

  test('a busy server and the wait after too many requests are reported, and retries after connection errors keep the text and send one idempotency key', async () => {
    const page = await fixture.newVisitor()
    await page.clock.install()
    await composer(page)
    await text(page).fill(TEXT)
    await refuse(page, 502, '<h1>Bad Gateway</h1>')
    await create(page)
    // The client retries a 502.
    const busy = page.getByRole('alert').getByText('The server is busy. Try again later.')
    await expect.poll(() => page.clock.runFor(500).then(() => busy.count())).toBe(1)

    await refuse(page, 429, { code: 'limit.reached', message: 'x', retryAfter: 3 })
    await create(page)
    const shown = page.getByRole('alert').locator('[aria-hidden]:not(.icon)')
    await expect.poll(() => shown.textContent()).toBe('Too many requests. Try again in 3 seconds.')
    await page.clock.runFor(2000)
    await expect.poll(() => shown.textContent()).toBe('Too many requests. Try again in 1 second.')
    const again = page.getByRole('button', { name: 'Try again' })
    await expect.poll(() => again.count()).toBe(0)
    await page.clock.runFor(2000)

    const keys: (string | undefined)[] = []
    let isUp = false
    await page.route('**/api/v1/secret', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (isUp) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await again.click()
    await runClockUntil(page, () => keys.length === 4)
    await page.getByText("Couldn't reach the server.").waitFor()
    await page.getByText('Your text and files are still here.').waitFor()
    await expect.poll(() => text(page).inputValue()).toBe(TEXT)
    isUp = true
    await again.click()
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    expect(keys).toHaveLength(5)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    // The link opens the secret that the first try created.
    const reader = await fixture.newVisitor()
    await reader.goto((await page.locator('.link-box').first().textContent()) as string)
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await expect.poll(() => reader.locator('.secret').textContent()).toBe(TEXT)
  })

  test('a session that ended while a secret was written is reported, with a link to sign in', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    await page.goto('/')
    await text(page).fill(TEXT)
    await page.getByLabel('Expires after').selectOption('1209600')
    await page.context().clearCookies({ name: 'session' })
    await create(page)
    await page.getByText('Choose up to 7 days.').waitFor()
    await page.getByText('Sign in to choose up to 28 days.').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Expires after').selectOption('604800')
    await page.getByText('Choose up to 7 days.').waitFor({ state: 'detached' })
    await page.locator('form').getByRole('link', { name: 'Sign in' }).waitFor()
    await create(page)
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
  })

  test('Ctrl+Enter creates the link, but not while a character is composed', async () => {
    const page = await composer()
    let requests = 0
    await page.route('**/api/v1/secret', (route) => {
      requests++
      return route.continue()
    })
    await text(page).fill('日本')
    // The form submits in the event of the key, or never.
    const submits = await page.evaluate(`[true, false].map((isComposing) => {
      let count = 0
      document.addEventListener('submit', () => count++, { once: true })
      const options = { key: 'Enter', ctrlKey: true, isComposing, bubbles: true, cancelable: true }
      document.querySelector('form textarea').dispatchEvent(new KeyboardEvent('keydown', options))
      return count
    })`)
    expect(submits).toEqual([0, 1])
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    expect(requests).toBe(1)
  })

  test('Ctrl+Enter before the app starts creates the link', async () => {
    const page = await fixture.newVisitor()
    const start = await holdScripts(page)
    await page.locator('#early-text:focus').waitFor()
    await page.keyboard.type('früh')
    await page.keyboard.press('Control+Enter')
    await page.locator('#early [aria-disabled=true]', { hasText: 'Creating…' }).waitFor()
    await page.keyboard.type('!')
    start()
    const link = (await page.locator('.link-box').textContent()) ?? ''
    await page.goto(link)
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await page.getByText('früh', { exact: true }).waitFor()
  })

  test('a click before the app starts shows options of the last secret instead of ignoring them', async () => {
    const page = await fixture.newVisitor()
    await composer(page)
    await text(page).fill('first')
    await page.getByLabel('Views', { exact: true }).fill('7')
    await create(page)
    await page.locator('.link-box').waitFor()
    const start = await holdScripts(page)
    await page.locator('#early-text').fill('früh')
    await page.locator('#early button').click()
    start()
    await focused(page, 'button[type=submit]')
    await expect.poll(() => page.getByLabel('Views', { exact: true }).inputValue()).toBe('7')
    expect(await text(page).inputValue()).toBe('früh')
  })

  test('a read-only site disables the composer, and a click before the app starts sends nothing', async () => {
    const page = await fixture.newVisitor()
    const before = fixture.requests.length
    await withSettings(page, { read_only: true, canCreate: false })
    const start = await holdScripts(page)
    await page.locator('#early-text').fill('früh')
    await page.locator('#early button').click()
    start()
    await page.getByText('This site is read-only.').waitFor()
    await expect.poll(() => text(page).isDisabled()).toBe(true)
    expect(fixture.requests.slice(before).filter((each) => each.method() === 'POST')).toEqual([])
  })

  test('a click before the app starts creates the link with the files that were dropped and pasted', async () => {
    const page = await fixture.newVisitor()
    const start = await holdScripts(page)
    await page.locator('#early-text:focus').waitFor()
    await page.keyboard.type('früh')
    await page.evaluate(`for (const [type, name] of [['drop', 'a.txt'], ['paste', 'b.txt']]) {
      const data = new DataTransfer()
      data.items.add(new File(['x'], name))
      const init = { dataTransfer: data, clipboardData: data, bubbles: true, cancelable: true }
      document.body.dispatchEvent(type === 'drop' ? new DragEvent(type, init) : new ClipboardEvent(type, init))
    }`)
    await page.locator('#early button').click()
    await page.locator('#early [aria-disabled=true]', { hasText: 'Creating…' }).waitFor()
    await page.keyboard.type('!')
    start()
    await page.goto((await page.locator('.link-box').textContent()) ?? '')
    await page.getByText('2 files are attached').waitFor()
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await page.getByText('früh', { exact: true }).waitFor()
  })

  test('a public secret disables password, allowed IP and views, and restores them when turned off', async () => {
    const page = await composer()
    await text(page).fill('for everyone é')
    await page.getByRole('textbox', { name: 'Password' }).fill('kept')
    await page.getByText('More options').click()
    await page.getByLabel('Allowed IP').fill('127.0.0.1')
    await page.getByLabel('Title').fill('For everyone')
    await page.getByLabel('List publicly').check()
    await page.getByText("A public secret isn't encrypted in your browser.").waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Password' }).isDisabled()).toBe(true)
    await expect.poll(() => page.getByLabel('Allowed IP').isDisabled()).toBe(true)
    await expect.poll(() => page.getByLabel('Views', { exact: true }).isDisabled()).toBe(true)
    await page.locator('.summary', { hasText: 'Anyone can read it. Deleted in 1 day.' }).waitFor()
    const borders = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.stepper > *')].map((part) => getComputedStyle(part).borderBlockColor)`,
    )
    expect(new Set(borders).size).toBe(1)
    await page.getByLabel('List publicly').uncheck()
    await expect.poll(() => page.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('kept')
    await expect.poll(() => page.getByLabel('Allowed IP').inputValue()).toBe('127.0.0.1')
    await page.getByLabel('List publicly').check()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Anyone can read it until').waitFor()
    await page.getByRole('link', { name: 'Public list' }).click()
    await page.getByRole('link', { name: 'For everyone' }).click()
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await expect.poll(() => page.locator('.secret').textContent()).toBe('for everyone é')
  })

  test('a required IP address gets the focus although its field is closed and its code arrives late', async () => {
    const page = await fixture.newVisitor()
    await alterResponse(page, '**/api/v1/settings', (json) => ({
      ...json,
      policy: { ...(json.policy as object), addressRequired: true },
    }))
    let send: () => void = () => {}
    const released = new Promise<void>((resolve) => {
      send = resolve
    })
    await page.route('**/assets/sender-*.js', async (route) => {
      await released
      await route.continue()
    })
    await composer(page)
    await text(page).fill(TEXT)
    // It is open because of the required option.
    await page.getByText('More options').click()
    await create(page)
    await page.getByRole('button', { name: 'Creating…' }).waitFor()
    send()
    await focused(page, '[aria-invalid]')
    const address = page.getByLabel('Allowed IP address')
    expect([await address.isVisible(), await address.getAttribute('aria-invalid')]).toEqual([true, 'true'])
  })

  test('"Keep until it expires" allows any number of views', async () => {
    const page = await composer()
    await text(page).fill(TEXT)
    await page.getByText('More options').click()
    await page.getByLabel('Keep until it expires').check()
    await page.locator('.summary', { hasText: 'Deleted in 1 day. Until then, it can be opened' }).waitFor()
    await create(page)
    await page.getByText('It works any number of times until').waitFor()
    const link = (await page.locator('.link-box').first().textContent()) as string
    for (let times = 0; times < 2; times++) {
      const reader = await fixture.newVisitor()
      await reader.goto(link)
      await reader.getByRole('button', { name: 'Reveal secret' }).click()
      await reader.getByText('It can be opened until').waitFor()
    }
  })

  test('text typed before the app starts, without a click, is kept with the caret position', async () => {
    const page = await fixture.newVisitor()
    const start = await holdScripts(page)
    await page.locator('#early-text:focus').waitFor()
    await page.keyboard.type('früh words')
    for (let steps = 0; steps < 5; steps++) await page.keyboard.press('ArrowLeft')
    start()
    await waitForComposer(page)
    await focused(page, 'textarea')
    await page.keyboard.type('and late ')
    await expect.poll(() => text(page).inputValue()).toBe('früh and late words')
  })

  test('typing while the app starts loses no letter', async () => {
    const page = await fixture.newVisitor()
    const session = await page.context().newCDPSession(page)
    // So that the app comes in many pieces, with letters in between.
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const start = await holdScripts(page)
    await page.locator('#early-text').click()
    await page.keyboard.type('<>')
    await page.keyboard.press('ArrowLeft')
    await page.evaluate(`globalThis.typed = ''
      globalThis.typing = setInterval(() => {
        const letter = String.fromCharCode(97 + (typed.length % 26))
        typed += letter
        document.execCommand('insertText', false, letter)
      }, 1)`)
    start()
    await waitForComposer(page)
    const soFar = await page.evaluate<number>('typed.length')
    await expect.poll(() => page.evaluate<number>('typed.length')).toBeGreaterThan(soFar + 20)
    const typed = await page.evaluate<string>('clearInterval(typing), typed')
    await expect.poll(() => text(page).inputValue()).toBe(`<${typed}>`)
    await page.getByText(`${(typed.length + 2).toLocaleString('en')} characters`).waitFor()
  })

  test('visiting the tab for requests, another page and the sign-in keeps the draft', async () => {
    const page = shared
    await withSettings(page, { uploads: false })
    await composer()
    await text(page).fill(TEXT)
    await page.getByRole('button', { name: 'More views' }).click()
    await page.getByText('More options').click()
    await page.getByRole('link', { name: 'Request', exact: true }).click()
    await page.getByRole('heading', { name: 'Request a secret' }).waitFor()
    // Requests need an account.
    const signIn = page.locator('.card').getByRole('link', { name: 'Sign in' })
    expect(await signIn.getAttribute('href')).toBe('/signin?to=%2Frequest')
    await page.getByRole('link', { name: 'Share', exact: true }).click()
    await expect.poll(() => text(page).inputValue()).toBe(TEXT)

    await page.getByRole('link', { name: 'Public list' }).click()
    await page.getByRole('heading', { name: 'Public secrets' }).waitFor()
    await page.goBack()
    await expect.poll(() => text(page).inputValue()).toBe(TEXT)
    await expect.poll(() => page.getByLabel('Views', { exact: true }).inputValue()).toBe('2')
    await page.getByLabel('Title').waitFor()

    await page.getByText('Sign in to attach files. You can still send text.').waitFor()
    await page.locator('.attach').getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(page.url()).toBe(`${fixture.url}/signin?to=/`)
    await page.goBack()
    await expect.poll(() => text(page).inputValue()).toBe(TEXT)
  })

  test('the page says who can create secrets and where to sign in, and has no tab for requests of others', async () => {
    const page = shared
    let settings: object = { who_can_create: 'admins', who_can_request: 'admins' }
    await alterResponse(page, '**/api/v1/settings', (json) => ({ ...json, canCreate: false, ...settings }))
    const requestTab = page.getByRole('link', { name: 'Request', exact: true })
    await page.goto('/')
    await page.getByText('Only administrators can create secrets on this site.').waitFor()
    await expect.poll(() => requestTab.count()).toBe(0)
    settings = { who_can_create: 'users', who_can_request: 'none' }
    await page.reload()
    await page.getByText('Only signed-in users can create secrets on this site.').waitFor()
    await expect.poll(() => requestTab.count()).toBe(0)
    await expect.poll(() => text(page).isDisabled()).toBe(true)
    await page.locator('.notice').getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    settings = { who_can_create: 'users', deniedByGroups: true }
    await page.goto('/')
    await page.getByText("Your groups don't allow you to create secrets on this site.").waitFor()
    await expect.poll(() => text(page).isDisabled()).toBe(true)
  })

  /** The texts that the page copies with the clipboard API, and the texts that it copies by selecting them. */
  const RECORD_COPIES = `written = []
  selected = []
  const { writeText } = Clipboard.prototype
  Clipboard.prototype.writeText = function (text) {
    written.push(text)
    return writeText.call(this, text)
  }
  const { execCommand } = Document.prototype
  Document.prototype.execCommand = function (command) {
    selected.push(document.activeElement.value)
    return execCommand.call(this, command)
  }`

  /** Copies the link of a new secret with the button. Resolves with the link. */
  async function copyLink(page: Page): Promise<string> {
    await composer(page)
    await page.evaluate(RECORD_COPIES)
    await text(page).fill(TEXT)
    await create(page)
    await page.getByText('Link copied.').waitFor()
    await page.evaluate("navigator.clipboard.writeText('').catch(() => {})")
    await page.evaluate('written = []; selected = []')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('status').getByText('Copied', { exact: true }).waitFor()
    return (await page.locator('.link-box').first().textContent()) as string
  }

  test('a link is copied with the clipboard API when the browser permits it', async () => {
    const page = await fixture.newVisitor({ permissions: ['clipboard-read', 'clipboard-write'] })
    const link = await copyLink(page)
    expect(await page.evaluate('[written, selected]')).toEqual([[link], []])
    expect(await readClipboard(page)).toBe(link)
  })

  test('a link is copied by selecting it when the browser refuses the clipboard API, and a failed copy is reported', async () => {
    const page = shared
    const link = await copyLink(page)
    expect(await page.evaluate('[written, selected]')).toEqual([[link], [link]])
    expect(await readClipboard(page)).toBe(link)
    await page.evaluate(`Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
      Document.prototype.execCommand = () => false
      getSelection().empty()`)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText("Couldn't copy. Select the text and copy it.").waitFor()
    expect(await page.evaluate<string>('String(getSelection())')).toBe(link)
    await page.getByRole('button', { name: 'Create another' }).click()
    await waitForComposer(page)
    await text(page).fill(TEXT)
    await create(page)
    await page.getByText("Your browser didn't copy the link.").waitFor()
  })
})
