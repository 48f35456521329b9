/** Opening a secret: every state, and only the click of a recipient with key and password uses a view. */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { readClipboard, runClockUntil } from '#test/browser/page-actions'
import { client, createPublicSecret, createRawSecret, createSecret, viewsLeft } from '#test/browser/secrets'
import { needs } from '#test/needs'

const reveal = (page: Page) => page.getByRole('button', { name: 'Reveal secret' }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()
async function acknowledge(page: Page, button: string): Promise<void> {
  const acked = page.waitForResponse('**/ack')
  await page.getByRole('button', { name: button }).click()
  expect((await acked).status()).toBe(204)
}
const secretText = (page: Page) => page.locator('.secret').textContent()
const BOXES = `[...document.querySelectorAll('main :is(h1, .lede, .card, .sealed, .button)')].map((each) =>
  JSON.stringify(each.getBoundingClientRect()))`
const isFocused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()

describe('opening a secret', needs('chromium'), () => {
  let fixture: BrowserFixture
  let shared: Visitor
  /** For tests that control the clock. */
  let clocked: Page
  beforeAll(async () => {
    fixture = await startBrowserFixture()
    shared = watch(await fixture.newVisitor())
    clocked = await fixture.newVisitor()
    await clocked.clock.install()
  })
  afterAll(() => fixture.close())
  afterEach(async () => {
    for (const page of [shared.page, clocked]) await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(fixture.takeErrors()).toEqual([])
  })

  /** A page, and the requests that it sends to the API for secrets. */
  interface Visitor {
    page: Page
    calls: string[]
  }

  function watch(page: Page): Visitor {
    const calls: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/api\/v1\/secret/.test(pathname)) calls.push(`${request.method()} ${pathname.replace(/^\/api\/v1/, '')}`)
    })
    return { page, calls }
  }

  /** Opens a page whose app is not loaded before `startApp`. */
  async function openBeforeApp(link: string) {
    shared.calls.length = 0
    let startApp = () => {}
    const promise = new Promise<void>((resolve) => {
      startApp = resolve
    })
    await shared.page.unrouteAll()
    await shared.page.route('**/assets/app-*.js', async (route) => {
      await promise
      await route.continue()
    })
    const checked = shared.page.waitForResponse('**/exist')
    await shared.page.goto(link, { waitUntil: 'commit' })
    await checked
    return { ...shared, startApp }
  }

  /** The visitor whom most tests share. */
  const visitor = async () => {
    shared.calls.length = 0
    return shared
  }

  describe('before the click', () => {
    test('SEC-20: the page only checks that the secret exists, once and before the app is loaded', async () => {
      const secret = await createSecret(fixture)
      const { page, calls } = await visitor()
      const checked = page.waitForRequest('**/exist')
      await page.route('**/assets/app-*.js', async (route) => {
        await checked
        await route.continue()
      })
      await page.goto(secret.link)
      await page.getByText("You can open it once. After that, it's deleted.").waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Reveal secret' }).waitFor()
      expect(calls).toEqual(Array(2).fill(`GET /secret/${secret.id}/exist`))
      expect(page.url()).toBe(secret.link)
      await expect.poll(() => viewsLeft(fixture, secret)).toBe(1)
    })

    test('the form is there before the app, at the same place, and the app carries out a click on it', async () => {
      const secret = await createSecret(fixture, { maxViews: 2 })
      const { page, calls, startApp } = await openBeforeApp(secret.link)
      await page.getByText('You can open it 2 times.').waitFor()
      await page.locator('button:focus').filter({ hasText: 'Reveal secret' }).waitFor()
      const places = () => page.evaluate<string[]>(BOXES)
      const early = await places()
      expect(early).toHaveLength(5)
      startApp()
      await page.locator('footer').waitFor()
      expect(await places()).toEqual(early)
      expect(calls).toEqual([`GET /secret/${secret.id}/exist`])

      await page.goto('about:blank')
      const again = await openBeforeApp(secret.link)
      await reveal(page)
      await page.getByRole('button', { name: 'Opening…' }).and(page.locator('[aria-disabled=true]')).waitFor()
      expect(calls).toEqual([`GET /secret/${secret.id}/exist`])
      again.startApp()
      await page.locator('.secret').waitFor()
      await expect.poll(() => viewsLeft(fixture, secret)).toBe(1)
    })

    test('a secret with a password has no form before the app, and then a field that the browser does not fill in', async () => {
      const { link } = await createSecret(fixture, { password: 'right' })
      const { page, startApp } = await openBeforeApp(link)
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
      expect(await page.locator('button').count()).toBe(0)
      startApp()
      const field = page.getByRole('textbox', { name: 'Password' })
      await field.waitFor()
      await isFocused(page, 'input[type=password]')
      expect(await field.getAttribute('autocomplete')).toBe('one-time-code')
    })

    test('the app asks again when the connection broke before it was loaded', async () => {
      const secret = await createSecret(fixture)
      const { page, calls } = await visitor()
      await page.route('**/exist', (route) => route.abort(), { times: 1 })
      await page.goto(secret.link)
      await page.getByRole('button', { name: 'Reveal secret' }).waitFor()
      expect(calls).toEqual(Array(2).fill(`GET /secret/${secret.id}/exist`))
    })

    test('the path form becomes the fragment form before any request of the page', async () => {
      const secret = await createSecret(fixture)
      const { page } = await visitor()
      const from = fixture.requests.length
      await page.goto(`/secret/${secret.fragment}/${secret.id}`)
      await page.getByRole('button', { name: 'Reveal secret' }).waitFor()
      expect(page.url()).toBe(secret.link)
      const asked = fixture.requests.slice(from + 1).map((request) => request.url())
      expect(asked.filter((url) => url.includes(secret.fragment) && !url.endsWith(`#${secret.fragment}`))).toEqual([])
      await reveal(page)
      await page.getByText('This was the last view.').waitFor()
    })

    test('a link that cannot be opened is reported without a request, and one that was cut off can be pasted again', async () => {
      const secret = await createSecret(fixture)
      const { page, calls } = await visitor()
      for (const [link, name] of [
        [secret.link.replace('#1', '#%222'), 'This link needs a newer version'],
        [secret.link.replace(/\/secret\/.{8}/, '/secret/'), "This isn't a link to a secret"],
        [secret.link.slice(0, -2), 'This link looks cut off'],
      ] as const) {
        await page.goto(link)
        await heading(page, name)
      }
      expect(calls).toEqual([])
      await expect.poll(() => viewsLeft(fixture, secret)).toBe(1)
      await page.getByLabel('Decryption key').fill(secret.link.slice(0, -1))
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('This key is incomplete.').waitFor()
      await page.locator('input[aria-invalid]:focus').waitFor()
      await page.getByLabel('Decryption key').fill(secret.link)
      await page.keyboard.press('Enter')
      await reveal(page)
      await page.getByText('This was the last view.').waitFor()
    })

    // More of them: `core/shared/link`.
    test.each(['%20', '”'])('a link with %s at its end opens', async (end) => {
      const secret = await createSecret(fixture)
      const { page } = await visitor()
      await page.goto(secret.link + end)
      await reveal(page)
      await page.getByText('This was the last view.').waitFor()
    })

    test('the check is repeated after a connection error, and the secret is hidden after five minutes in the background', async () => {
      const secret = await createSecret(fixture)
      const page = clocked
      await page.route('**/exist', (route) => route.abort())
      const asked = page.waitForRequest('**/exist')
      await page.goto(secret.link)
      await asked
      await expect
        .poll(async () => {
          await page.clock.fastForward(1000)
          return page.getByRole('heading', { name: "The secret wasn't opened" }).count()
        })
        .toBe(1)
      await page.getByText("Couldn't reach the server.").waitFor()
      await page.unroute('**/exist')
      await page.getByRole('button', { name: 'Try again' }).click()
      await reveal(page)
      await page.getByText('This was the last view.').waitFor()
      const look = (state: 'visible' | 'hidden') =>
        page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
          document.dispatchEvent(new Event('visibilitychange'))`)
      await look('hidden')
      await page.clock.fastForward(4 * 60_000)
      await look('visible')
      await page.clock.fastForward(10 * 60_000)
      await expect.poll(() => page.getByRole('textbox', { name: 'Secret' }).count()).toBe(1)
      await look('hidden')
      await page.clock.fastForward(5 * 60_000)
      await page.getByText('The text is hidden.').waitFor()
    })
  })

  describe('keys and passwords', () => {
    test('an incomplete key, a wrong key and a wrong password use no view, and the right ones open the secret', async () => {
      const secret = await createSecret(fixture, { password: 'swordfish é' })
      const other = await createSecret(fixture)
      const { page, calls } = await visitor()
      await page.goto(secret.link.replace(/#.*/, ''))
      await page.getByText('Enter the key that the sender gave you separately.').waitFor()
      await isFocused(page, 'input.mono')
      expect(await page.getByText('You can').count()).toBe(0)
      const key = page.getByLabel('Decryption key')
      const before = calls.length

      await key.fill(secret.fragment.slice(0, 30))
      await reveal(page)
      await page
        .getByText("This key is incomplete. Copy it again from the message. The secret wasn't opened.")
        .waitFor()
      await isFocused(page, 'input')
      expect(calls).toHaveLength(before)

      await key.fill(other.fragment)
      await reveal(page)
      await heading(page, 'This secret is no longer available')
      await page.getByRole('button', { name: 'Enter another key' }).click()

      await key.fill(secret.link)
      await reveal(page)
      const password = page.getByRole('textbox', { name: 'Password' })
      await isFocused(page, 'input[type=password]')
      await expect.poll(() => page.locator('.error').count()).toBe(0)
      await reveal(page)
      await page.getByText('Enter the password.').waitFor()
      await password.fill('wrong')
      await reveal(page)
      await page.getByText("Wrong password. The secret wasn't opened. You have 9 tries left.").waitFor()
      await isFocused(page, 'input[type=password]')
      await expect.poll(() => viewsLeft(fixture, secret)).toBe(1)
      await password.fill('swordfish é')
      await page.keyboard.press('Enter')
      await page.getByText('This was the last view.').waitFor()
    })

    test('the page says how long a lock lasts, and then the secret can be opened', async () => {
      const { id } = await createRawSecret(fixture, 'text é', 'right')
      const page = clocked
      // As after ten wrong passwords: `core/http/secrets`.
      const body = { statusCode: 423, error: 'Locked', code: 'secret.locked', message: 'x', retryAfter: 900 }
      const view = `**/secret/${id}`
      await page.route(view, (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 423, json: body }) : route.continue(),
      )
      await page.goto(`/secret/${id}`)
      await page.getByRole('textbox', { name: 'Password' }).fill('right')
      await reveal(page)
      await page.getByText('Too many wrong attempts.').first().waitFor()
      await page
        .getByText(/The secret wasn't opened. Try again in 1[45] minutes/)
        .first()
        .waitFor()
      const button = page.getByRole('button', { name: 'Reveal secret' })
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      const shown = page.locator('.notice [aria-hidden]:not(.icon)')
      const before = await shown.textContent()
      await page.clock.runFor(60_000)
      await expect.poll(() => shown.textContent()).not.toBe(before)
      await page.unroute(view)
      await page.clock.fastForward(14 * 60_000)
      await page.getByText('Too many wrong attempts.').waitFor({ state: 'detached' })
      await reveal(page)
      await page.getByText('This was the last view.').waitFor()
    })
  })

  test('a reload opens a secret with views left again, and the key leaves the URL with the last view', async () => {
    const secret = await createSecret(fixture, { maxViews: 2 })
    const { page } = await visitor()
    await page.goto(secret.link)
    await reveal(page)
    await page.getByText('1 view left').waitFor()
    expect(page.url()).toBe(secret.link)
    await acknowledge(page, 'Copy')
    await page.reload()
    await reveal(page)
    await page.getByText('This was the last view.').waitFor()
    expect(page.url()).toBe(secret.link.replace(/#.*/, ''))
    await acknowledge(page, 'Delete from the server now')
    await page.reload()
    await page
      .getByText(
        /^You opened it in this tab \(\w+ \d+, \d{4}, \d+:\d\d.[AP]M\)\. The server doesn't keep it any longer\.$/,
      )
      .waitFor()
  })

  test('a megabyte in one line is shown with the direction of the whole text, which is fast', async () => {
    const long = 'é'.repeat(500_000)
    const { page } = await visitor()
    await page.goto((await createSecret(fixture, { text: long })).link)
    await reveal(page)
    await page.locator('.secret').waitFor()
    expect(await page.locator('.secret').textContent()).toBe(long)
    // With `plaintext` the layout takes seconds.
    const direction = await page.evaluate(`getComputedStyle(document.querySelector('.secret')).unicodeBidi`)
    expect(direction).toBe('isolate')
  })

  test('the page says where a secret comes from and how often it opens, and the recipient burns the views that are left', async () => {
    const secret = await createSecret(fixture, { maxViews: 3 })
    const { page } = await visitor()
    await page.goto(secret.link)
    await page.getByText("Encrypted for you. This site can't read it.").waitFor()
    await isFocused(page, 'button[type=submit]')
    expect(await page.locator('.lede span').allTextContents()).toEqual([
      `It was sent through \u2066${new URL(fixture.url).host}\u2069.`,
      'You can open it 3 times.',
      expect.stringMatching(/^It expires on .+ \(.+\)\.$/),
    ])
    await reveal(page)
    await page.getByText('2 views left until').waitFor()
    await page.getByRole('button', { name: 'Burn this secret' }).click()
    await page.getByRole('button', { name: 'Burn', exact: true }).click()
    await page.getByText('Secret burned.').waitFor()
    await expect.poll(() => viewsLeft(fixture, secret)).toBeNull()
    expect(await page.locator('.secret').count()).toBe(1)
    // The key is gone from the URL.
    expect(page.url()).toBe(secret.link.replace(/#.*/, ''))
    await page.reload()
    await heading(page, 'This secret is no longer available')
  })

  describe('while opening', () => {
    test('every automatic and manual retry sends the same claim', async () => {
      const secret = await createSecret(fixture)
      const page = clocked
      const claims: string[] = []
      let isUp = false
      await page.route(`**/secret/${secret.id}`, async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        claims.push(route.request().postDataJSON().claim)
        if (isUp) return route.continue()
        await route.fetch()
        await route.abort()
      })
      await page.goto(secret.link)
      await reveal(page)
      await runClockUntil(page, () => claims.length === 4)
      await page.getByText("It's not known whether the secret was opened.").waitFor()
      await expect.poll(() => viewsLeft(fixture, secret)).toBeNull()
      isUp = true
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('This was the last view.').waitFor()
      expect(claims).toHaveLength(5)
      expect(new Set(claims).size).toBe(1)
    })

    test('a retry after a decryption error uses no second view', async () => {
      const secret = await createSecret(fixture)
      const { page, calls } = await visitor()
      await page.route(`**/secret/${secret.id}`, async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), text: 'not an age file' } })
      })
      await page.goto(secret.link)
      await reveal(page)
      await page.getByText("The server didn't send a valid secret.").waitFor()
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText("The server didn't send a valid secret.").waitFor()
      // It may have been changed on the way, so it is requested again, with the same claim.
      await expect.poll(() => calls.filter((call) => call.startsWith('POST')).length).toBe(2)
      expect(await page.content()).not.toContain('not an age file')
      await expect.poll(() => viewsLeft(fixture, secret)).toBeNull()
      expect(page.url()).toBe(secret.link)
    })

    test('the view is acknowledged when the text was copied, and a reload before opens it again', async () => {
      const secret = await createSecret(fixture)
      const { page, calls } = await visitor()
      await page.goto(secret.link)
      await reveal(page)
      await page.getByText('This was the last view.').waitFor()
      await page.reload()
      await page.getByText(/^Until .* you can open it again in this tab/).waitFor()
      await reveal(page)
      await page.getByText('This was the last view.').waitFor()
      expect(calls.filter((call) => call.endsWith('/ack'))).toEqual([])
      await acknowledge(page, 'Copy')
      await page.getByText('The secret is deleted from the server.').waitFor()
      expect(await page.evaluate('Object.keys(sessionStorage)')).not.toContain(`view-claim:${secret.id}`)
      expect(await page.evaluate('history.state.usr')).toEqual({ isSpent: true, openedAt: expect.any(Number) })
    })
  })

  describe('what was opened', () => {
    test.each([
      [
        'expiry',
        { expiresAt: Date.now() + 90 * 86_400_000 },
        'The server keeps this secret longer than the sender asked for.',
      ],
      ['views', { maxViews: 5 }, 'The server allows more views than the sender asked for.'],
      [
        'files',
        { files: [{ id: 'x'.repeat(22), size: 1, parts: 1, key: 'k'.repeat(43) }] },
        'The server lists different files than the sender attached.',
      ],
    ])(
      'CRY-04: a difference between the response and what the sender chose is reported: %s',
      async (_, altered, warning) => {
        const secret = await createSecret(fixture)
        const { page } = await visitor()
        await page.route(`**/secret/${secret.id}`, async (route) => {
          if (route.request().method() !== 'POST') return route.continue()
          const response = await route.fetch()
          await route.fulfill({ response, json: { ...(await response.json()), ...altered } })
        })
        await page.goto(secret.link)
        await reveal(page)
        await page.getByRole('alert').getByText(warning).waitFor()
        await expect.poll(() => page.getByRole('alert').count()).toBe(1)
      },
    )

    test('a secret can be copied, saved, hidden and shown', async () => {
      const text = '<script>alert(1)</script>\r\nline\ttwo \u202e☃'
      const secret = await createSecret(fixture, { text })
      const { page } = await visitor()
      await page.goto(secret.link)
      await page.evaluate(`const make = URL.createObjectURL
        window.blobTypes = []
        URL.createObjectURL = (blob) => (blobTypes.push(blob.type), make.call(URL, blob))`)
      await reveal(page)
      await expect.poll(() => secretText(page)).toBe(text)
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByText('Copied').first().waitFor()
      // Pasting into a text area turns the line end into its own.
      expect(await readClipboard(page)).toBe(text.replace('\r\n', '\n'))
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as .txt' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('secret.txt')
      const chunks: Buffer[] = []
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString()).toBe(text)
      expect(await page.evaluate('blobTypes')).toEqual(['application/octet-stream'])
      await page.getByRole('button', { name: 'Hide' }).click()
      await page.getByText('The text is hidden.').waitFor()
      await page.getByRole('button', { name: 'Show' }).click()
      await expect.poll(() => secretText(page)).toBe(text)
    })

    test('a secret that is not text is offered as a file', async () => {
      const bytes = Uint8Array.from([0, 255, 254, 128, 10, 13, 1])
      const secret = await createSecret(fixture, { text: bytes })
      const { page } = await visitor()
      await page.goto(secret.link)
      await reveal(page)
      await heading(page, 'This secret is not text')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as a file' }).click(),
      ])
      const chunks: Buffer[] = []
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks)).toEqual(Buffer.from(bytes))
      await expect.poll(() => page.locator('.secret').count()).toBe(0)
    })

    test('a raw secret opens with a password that the server checks', async () => {
      const raw = await createRawSecret(fixture, 'raw text é', 'open sesame')
      const { page } = await visitor()
      await page.goto(`/secret/${raw.id}`)
      await page.getByRole('textbox', { name: 'Password' }).fill('wrong')
      expect(await page.getByText('Encrypted for you').count()).toBe(0)
      await reveal(page)
      await page.getByText('You have 9 tries left.').waitFor()
      await page.getByRole('textbox', { name: 'Password' }).fill('open sesame')
      await reveal(page)
      await page.getByText('This was the last view.').waitFor()
      await expect.poll(() => secretText(page)).toBe('raw text é')
      await acknowledge(page, 'Delete from the server now')
      await page.reload()
      await heading(page, 'This secret is no longer available')
    })

    test('a public secret opens', async () => {
      const { id } = await createPublicSecret(fixture, 'A public title é', 'for everyone')
      const { page } = await visitor()
      await page.goto(`/secret/${id}`)
      await heading(page, 'A public secret')
      await page.getByText("It's public. Anyone can open it until it expires.").waitFor()
      await reveal(page)
      await heading(page, 'A public title é')
      await expect.poll(() => secretText(page)).toBe('for everyone')
      await expect.poll(() => page.getByRole('button', { name: 'Burn this secret' }).count()).toBe(0)
    })
  })

  test('a burned secret and one for another IP address look the same, and both show the IP address', async () => {
    const elsewhere = await createSecret(fixture, { allowedIp: '203.0.113.0/24' })
    const burned = await createSecret(fixture)
    await client(fixture).burn(burned.id, { burnToken: burned.burnToken })
    const seen: string[] = []
    for (const { link } of [elsewhere, burned]) {
      const { page } = await visitor()
      await page.goto(link)
      await heading(page, 'This secret is no longer available')
      await page.getByText('Your IP address is').waitFor()
      seen.push((await page.locator('main').textContent()) as string)
    }
    await shared.page.getByRole('button', { name: 'Copy my IP address' }).click()
    await shared.page.getByText('Copied').first().waitFor()
    expect(await readClipboard(shared.page)).toBe('127.0.0.1')
    expect(seen[0]).toBe(seen[1])
  })
})
