/** A public host with the role `open`, and an internal one with the role `all`, over one database. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeViolations } from '#test/browser/axe'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { createTestRequest, openRequestPage, submitText } from '#test/browser/requests'
import { createSecret, viewsLeft } from '#test/browser/secrets'
import { needs } from '#test/needs'
import { openByProtocol } from '#test/requests-by-protocol'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'

const TEXT = 'DB_PASSWORD=é-☃\n\tsecond line'
const LOCALES = join(import.meta.dirname, '../../../web/locales')
const wordsOf = (language: string) => JSON.parse(readFileSync(join(LOCALES, `${language}.json`), 'utf8'))
const HEADING = wordsOf('en')['open-host'].heading
const ELSEWHERE = ['/request', '/signin', '/signup', '/account', '/public', '/stats', '/api-docs', '/setup', '/receipt']

describe('public host', needs('chromium'), () => {
  let dataDir: string
  let inside: BrowserFixture
  let outside: BrowserFixture
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mayfly-roles-'))
    inside = await startBrowserFixture({ dataDir, settings: [REQUESTS_FOR_ANYONE] })
    outside = await startBrowserFixture({ dataDir, env: { MAYFLY_ROLE: 'open' } })
  })
  afterAll(async () => {
    await outside?.close()
    await inside?.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  afterEach(() => expect(outside.takeErrors()).toEqual([]))

  /** The same link, with the address that people outside use. */
  const toOutside = (link: string) => link.replace(inside.url, outside.url)

  test('the start says the role, and nothing is created outside', async () => {
    expect(outside.server.log()).toMatch(/"role":"open"/)
    expect(inside.server.log()).toMatch(/"role":"all"/)
    await expect(createSecret(outside)).rejects.toMatchObject({ body: { code: 'request.wrong_role' } })
    await expect(createTestRequest(outside)).rejects.toMatchObject({ body: { code: 'request.wrong_role' } })
  })

  test('a secret that was created inside is opened outside, once', async () => {
    const secret = await createSecret(inside, { text: TEXT })
    const reader = await outside.newVisitor()
    await reader.goto(toOutside(secret.link))
    await reader.locator('main form button[type=submit]').click()
    await expect.poll(() => reader.locator('.secret').textContent()).toBe(TEXT)
    expect(await axeViolations(reader)).toEqual([])
    expect(await reader.locator('header.top nav, main a[href="/"]').count()).toBe(0)
    expect(await viewsLeft(inside, secret)).toBeNull()
  })

  test('a request that was created inside is answered outside and collected inside and outside', async () => {
    const request = await createTestRequest(inside, { maxSubmissions: 2 })
    const page = await outside.newVisitor()
    await openRequestPage(page, toOutside(request.requestLink))
    await page.getByLabel('Your secret').fill(TEXT)
    await page.getByRole('button', { name: 'Encrypt and send', exact: true }).click()
    await page.getByRole('heading', { name: 'Sent', level: 1 }).waitFor()
    await submitText(outside, request, 'second')
    await openRequestPage(page, toOutside(request.collectLink))
    await page.getByRole('button', { name: 'Open submission 1' }).click()
    await expect.poll(() => page.locator('.secret').textContent()).toBe(TEXT)
    const opened = await openByProtocol(request.collectLink)
    expect(opened.map(({ text }) => text.toString())).toEqual(['second'])
  })

  test('the lite version opens links, and creates nothing', async () => {
    const { link } = await createSecret(inside, { text: TEXT })
    const reader = await outside.newVisitor()
    await reader.goto(toOutside(link).replace('/secret/', '/lite/'))
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await expect.poll(() => reader.locator('#secret').inputValue()).toBe(TEXT)
    await reader.goto('/lite')
    await reader.getByRole('heading', { name: HEADING, level: 1 }).waitFor()
    expect(await reader.locator('form').count()).toBe(0)
  })

  test('the privacy policy and the terms are there, and every other page says that it is elsewhere', async () => {
    const visitor = await outside.newVisitor()
    const { elsewhere } = wordsOf('en')['open-host']
    for (const [path, heading] of [
      ['/privacy', 'Privacy'],
      ['/terms', 'Terms'],
    ] as const) {
      await visitor.goto(path)
      await visitor.getByRole('heading', { name: heading, level: 1 }).waitFor()
    }
    for (const path of ELSEWHERE) {
      await visitor.goto(path)
      await visitor.getByRole('heading', { name: elsewhere, level: 1 }).waitFor()
      await visitor.getByText(wordsOf('en').common.errors.request.wrong_role).waitFor()
    }
    expect(await axeViolations(visitor)).toEqual([])
  })

  test('the home page says what the site is for, without a form, in the language of the visitor', async () => {
    const visitor = await outside.newVisitor()
    for (const language of ['en', 'ar']) {
      await visitor.setExtraHTTPHeaders({ 'accept-language': language })
      await visitor.goto('/')
      const { heading, lede } = wordsOf(language)['open-host']
      await visitor.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor()
      expect(await visitor.locator('.lede').textContent()).toBe(lede)
      expect(await visitor.locator('form, textarea').count()).toBe(0)
      expect(await axeViolations(visitor)).toEqual([])
    }
  })
})
