/** Whatever someone writes is shown as text, wherever it is shown. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { safeFileName } from '#shared/file-name'
import { upload } from '#shared/upload'
import { ROOM } from './files.js'
import { signUp } from './members.js'
import { PAYLOADS } from './payloads.js'
import { client, makePublic, makeSecret } from './secrets.js'
import { inChromium, type Stage, setStage } from './stage.js'

/** What a name is shown without: it would reorder its surroundings. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

inChromium('injection', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage({ env: { ...ROOM, MAYFLY_MAX_FILES: '100' } })
  })
  afterAll(() => stage.close())
  // Dialogs, policy violations and requests to the canary's host are all problems.
  afterEach(() => expect(stage.takeProblems()).toEqual([]))

  test('titles in the public list', async () => {
    const titles = PAYLOADS.filter((payload) => !/\p{Cc}/u.test(payload)).slice(0, 50)
    for (const title of titles) await makePublic(stage, title)
    const page = await stage.visit()
    await page.goto('/public')
    await page
      .locator('tbody tr')
      .nth(titles.length - 1)
      .waitFor()
    const shown = await page.locator('tbody th').allTextContents()
    expect(shown.sort()).toEqual(titles.map((title) => title.replace(CONTROLS, '')).sort())
    const links = await page.locator('tbody a').evaluateAll((all: { href: string }[]) => all.map(({ href }) => href))
    expect(links.every((href) => href.startsWith(`${stage.url}/secret/`))).toBe(true)
  })

  test('text and title of sealed secrets', async () => {
    const perPage = 4
    const page = await stage.visit()
    for (let at = 0; at < PAYLOADS.length; at += perPage) {
      const payloads = PAYLOADS.slice(at, at + perPage)
      const title = payloads.join(' ')
      const text = payloads.join('\n')
      const { link } = await makeSecret(stage, { text, title, maxViews: 2 })
      await page.goto(link)
      await page.getByRole('button', { name: 'Reveal secret' }).click()
      await page.locator('.secret').waitFor()
      expect(await page.locator('.secret').textContent()).toBe(text)
      expect(await page.locator('.secret *').count()).toBe(0)
      expect(await page.locator('h1').textContent()).toBe(title.replace(CONTROLS, ''))
      expect(await page.locator('h1 bdi *').count()).toBe(0)
      expect(await page.title()).toBe('Your secret · Mayfly')
    }
  }, 60_000)

  test('names and types of files', async () => {
    const source = { size: 0, read: async () => new Uint8Array() }
    const files = []
    for (const name of PAYLOADS) files.push({ ...(await upload(client(stage), source)), name, type: name })
    const page = await stage.visit()
    await page.goto((await makeSecret(stage, { files })).link)
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await page.locator('.files').waitFor()
    const shown = await page.locator('.files .name').allTextContents()
    expect(shown.map((name) => name.replace(/ \(\d\)(\.\w+)?$/, '$1'))).toEqual(
      PAYLOADS.map((name) => safeFileName(name)),
    )
    expect(await page.locator('.files .name *').count()).toBe(0)
    expect(shown.join()).not.toMatch(CONTROLS)
  })

  test('names of tokens, and what an address says of signing in', async () => {
    const page = await stage.visit()
    await signUp(page, stage)
    const names = PAYLOADS.filter((payload) => !/\p{Cc}/u.test(payload)).map((payload) => payload.trim().slice(0, 60))
    const shown = new Set<string>()
    for (let at = 0; at < names.length; at += 20) {
      const ids = []
      for (const name of names.slice(at, at + 20)) ids.push(await makeToken(page, name))
      await page.goto('/account')
      await page
        .locator('tbody tr')
        .nth(19)
        .or(page.locator(`tbody tr:nth-child(${ids.length})`))
        .first()
        .waitFor()
      for (const text of await page.locator('tbody th').allTextContents()) shown.add(text)
      expect(await page.locator('tbody th :not(bdi)').count()).toBe(0)
      for (const id of ids)
        await page.request.delete(`${stage.url}/api/v1/account/tokens/${id}`, { headers: { origin: stage.url } })
    }
    expect([...shown].sort()).toEqual([...new Set(names.map((name) => name.replace(CONTROLS, '')))].sort())
    for (const payload of PAYLOADS.slice(0, 12)) {
      const asked = encodeURIComponent(payload)
      await page.goto(`/account?error=${asked}`)
      await page.locator('h1').waitFor()
      await page.goto(`/signin?error=${asked}&to=${asked}`)
      await page.locator('h1').waitFor()
    }
  }, 60_000)

  async function makeToken(page: Page, name: string): Promise<string> {
    const answer = await page.request.post(`${stage.url}/api/v1/account/tokens`, {
      headers: { origin: stage.url },
      data: { name },
    })
    expect(answer.ok(), `${name}: ${await answer.text()}`).toBe(true)
    return (await answer.json()).id
  }

  test('what the server says, and names in the address', async () => {
    const page = await stage.visit()
    await page.route('**/api/v1/secret', (route) => {
      const message = PAYLOADS.join('\n')
      return route.fulfill({ status: 400, json: { statusCode: 400, error: 'x', code: 'of.tomorrow', message } })
    })
    await page.goto('/')
    await page.getByLabel('Your secret').fill(PAYLOADS.join('\n'))
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('alert').getByText('<script>alert(1)</script>').first().waitFor()
    for (const payload of PAYLOADS.slice(0, 12)) {
      await page.goto(`/public/${encodeURIComponent(payload)}`)
      await page.locator('h1').waitFor()
      await page.goto(`/secret/${encodeURIComponent(payload)}#${encodeURIComponent(payload)}`)
      await page.locator('h1').waitFor()
    }
    // An answer of 400 to a name that cannot be one is shown on the error screen, which React reports.
    const others = stage.takeProblems().filter((problem) => !/ApiError|status of 404/.test(problem))
    expect(others).toEqual([])
  }, 60_000)
})
