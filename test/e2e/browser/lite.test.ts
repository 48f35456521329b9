/** The lite version: a whole client in one script, also over plain http and for links of the app. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inChromium, NOTHING_STORED, type Stage, setStage, stored } from '#test/browser/browser-fixture'
import { PAYLOADS } from '#test/browser/payloads'
import { makePublic, makeRaw, makeSecret, viewsLeft } from '#test/browser/secrets'

const TEXT = 'DB_PASSWORD=correct-é-☃\n\tsecond line  '

const asLite = (link: string) => link.replace('/secret/', '/lite/')
const reveal = (page: Page) => page.getByRole('button', { name: 'Reveal secret' }).click()
const secretOn = async (page: Page) => {
  await page.getByRole('heading', { name: 'Your secret' }).waitFor()
  return page.locator('#secret').inputValue()
}
const problem = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor()

async function makeLink(page: Page, text: string, password = ''): Promise<string> {
  await page.goto('/lite')
  await page.getByLabel('Your secret').fill(text)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
  return (await page.locator('#link').textContent()) as string
}

inChromium('the lite version', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage({
      env: { MAYFLY_ALLOWED_HOSTS: 'mayfly.test' },
      flags: ['--host-resolver-rules=MAP mayfly.test 127.0.0.1'],
    })
  })
  afterAll(() => stage.close())
  afterEach(() => expect(stage.takeProblems()).toEqual([]))

  test('a link of it opens in it once, and is gone for everyone', async () => {
    const sender = await stage.visit()
    const link = await makeLink(sender, TEXT)
    await sender.getByRole('button', { name: 'Copy' }).click()
    await sender.getByText('Copied').waitFor()
    const reader = await stage.visit()
    await reader.goto(asLite(link))
    await reader.getByText('It can be opened once.').waitFor()
    const acked = reader.waitForResponse('**/ack')
    await reveal(reader)
    await expect.poll(() => secretOn(reader)).toBe(TEXT)
    await reader.getByText('This was the last view.').waitFor()
    expect(new URL(reader.url()).hash).toBe('')
    await acked
    const third = await stage.visit()
    await third.goto(asLite(link))
    await third.getByRole('heading', { name: 'This secret is no longer available' }).waitFor()
    for (const page of [sender, reader, third]) expect(await stored(page)).toBe(NOTHING_STORED)
  })

  test('links of the app open in it, and its links in the app', async () => {
    const { link } = await makeSecret(stage, { text: TEXT, maxViews: 3 })
    const reader = await stage.visit()
    await reader.goto('/lite')
    await reader.getByLabel('Open a link').fill(` <${link}> `)
    await reader.getByRole('button', { name: 'Open' }).click()
    await reader.getByText('Views left: 3.').waitFor()
    await reveal(reader)
    await expect.poll(() => secretOn(reader)).toBe(TEXT)
    const sender = await stage.visit()
    await reader.goto(await makeLink(sender, 'from the lite version'))
    await reveal(reader)
    await reader.locator('.secret').waitFor()
    await expect.poll(() => reader.locator('.secret').textContent()).toBe('from the lite version')
  })

  test('passwords: asked for, told when wrong, and nothing is used up', async () => {
    const link = await makeLink(await stage.visit(), TEXT, 'right é')
    const reader = await stage.visit()
    await reader.goto(asLite(link))
    await reader.getByLabel('Password').fill('wrong')
    await reveal(reader)
    await problem(reader, 'The password is wrong. The secret has not been used up.')
    await reader.getByLabel('Password').fill('right é')
    await reveal(reader)
    await expect.poll(() => secretOn(reader)).toBe(TEXT)
  })

  test('a key that travels apart is asked for, alone or in its link', async () => {
    for (const form of ['fragment', 'link'] as const) {
      const secret = await makeSecret(stage, { text: TEXT })
      const reader = await stage.visit()
      await reader.goto(asLite(secret.link).replace(/#.*/, ''))
      await reader.getByLabel('Decryption key').fill('1abc')
      await reveal(reader)
      await problem(reader, 'looks cut off')
      await expect.poll(() => viewsLeft(stage, secret)).toBe(1)
      await reader.getByLabel('Decryption key').fill(secret[form])
      await reveal(reader)
      await expect.poll(() => secretOn(reader)).toBe(TEXT)
    }
  })

  test('raw and public secrets open too', async () => {
    const raw = await makeRaw(stage, 'raw é', 'its password')
    const reader = await stage.visit()
    await reader.goto(`/lite/${raw.id}`)
    await reader.getByLabel('Password').fill('its password')
    await reveal(reader)
    await expect.poll(() => secretOn(reader)).toBe('raw é')
    await reader.goto(`/lite/${(await makePublic(stage, 'x', 'public é')).id}`)
    await reveal(reader)
    await expect.poll(() => secretOn(reader)).toBe('public é')
  })

  test('looking uses nothing up, and a broken link asks nothing', async () => {
    const secret = await makeSecret(stage)
    const reader = await stage.visit()
    await reader.goto(asLite(secret.link))
    await reader.getByRole('button', { name: 'Reveal secret' }).waitFor()
    await reader.reload()
    await reader.getByRole('button', { name: 'Reveal secret' }).waitFor()
    await expect.poll(() => viewsLeft(stage, secret)).toBe(1)
    const calls = () => stage.requests.filter((request) => request.url().includes('/api/')).length
    const before = calls()
    await reader.goto(asLite(secret.link.slice(0, -2)))
    await reader.reload()
    await problem(reader, 'looks cut off')
    expect(calls()).toBe(before)
  })

  test('what fails loses nothing, and trying again makes no second secret', async () => {
    const page = await stage.visit()
    const keys: (string | undefined)[] = []
    let isUp = false
    await page.route('**/api/v1/secret', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (isUp) return route.continue()
      await route.fulfill({
        status: 500,
        json: { statusCode: 500, error: 'x', code: 'of.tomorrow', message: '<b>new</b>' },
      })
    })
    await page.goto('/lite')
    await page.getByLabel('Your secret').fill(TEXT)
    await page.getByRole('button', { name: 'Create link' }).click()
    await problem(page, '<b>new</b>')
    await expect.poll(() => page.getByLabel('Your secret').inputValue()).toBe(TEXT)
    isUp = true
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    expect(new Set(keys).size).toBe(1)
  })

  test('the keyboard alone creates and opens', async () => {
    const page = await stage.visit()
    await page.goto('/lite')
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Tab')
    await page.keyboard.type('typed by hand')
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('#link-heading:focus').waitFor()
    await page.goto(asLite((await page.locator('#link').textContent()) as string))
    await page.getByRole('button', { name: 'Reveal secret' }).waitFor()
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => secretOn(page)).toBe('typed by hand')
    await page.locator('#heading:focus').waitFor()
  })

  test('over plain http it works and says so', async () => {
    const baseURL = stage.url.replace('localhost', 'mayfly.test')
    const page = await stage.visit({ baseURL })
    const link = await makeLink(page, TEXT)
    await page.getByText('This page is not on https.').waitFor()
    await page.goto(asLite(link).replace('localhost', 'mayfly.test'))
    await reveal(page)
    await expect.poll(() => secretOn(page)).toBe(TEXT)
    stage.takeProblems()
  })

  test('whatever was written is shown as text', async () => {
    const text = PAYLOADS.join('\n')
    const { link } = await makeSecret(stage, { text })
    const page = await stage.visit()
    await page.goto(asLite(link))
    await reveal(page)
    await expect.poll(() => secretOn(page)).toBe(text.replace(/\r\n?/g, '\n'))
    for (const payload of PAYLOADS.slice(0, 12)) {
      await page.goto(`/lite/${encodeURIComponent(payload)}#${encodeURIComponent(payload)}`)
      await page.getByRole('alert').waitFor()
    }
    // An address with a slash in it is no page of its own.
    expect(stage.takeProblems().filter((each) => !/status of 404/.test(each))).toEqual([])
  })

  test('it is light', async () => {
    const page = await stage.visit()
    let bytes = 0
    const requests: string[] = []
    page.on('requestfinished', async (request) => {
      requests.push(request.url())
      const { responseBodySize } = await request.sizes()
      bytes += /manifest|icon/.test(request.url()) ? 0 : responseBodySize
    })
    await page.goto('/lite', { waitUntil: 'networkidle' })
    await expect.poll(() => requests.length).toBeGreaterThanOrEqual(4)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(25_000)
  })
})
