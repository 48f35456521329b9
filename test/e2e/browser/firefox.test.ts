/** The main stories in Firefox, driven by WebDriver BiDi. The other browser tests run in Chromium. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, launch, type Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '#test/needs'
import { REQUESTS_FOR_ANYONE, type RunningServer, startServer } from '#test/start-server'
import { findProgram } from '#test/tools'

const TEXT = 'geheim ☃\nzweite Zeile'
const PASSWORD = 'amber-river-94'
const TIMEOUT_MS = 60_000

describe('in Firefox', needs('firefox'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-firefox-'))
  const errors: string[] = []
  let server: RunningServer
  let browser: Browser
  beforeAll(async () => {
    const executablePath = findProgram('firefox-esr') as string
    ;[server, browser] = await Promise.all([
      startServer({ settings: [REQUESTS_FOR_ANYONE] }),
      launch({ browser: 'firefox', executablePath, timeout: TIMEOUT_MS }),
    ])
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  afterEach(() => expect(errors.splice(0)).toEqual([]))

  /** A page without cookies and storage. */
  async function newVisitor(path: string): Promise<Page> {
    const page = await (await browser.createBrowserContext()).newPage()
    page.setDefaultTimeout(TIMEOUT_MS)
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.goto(new URL(path, server.url).href)
    return page
  }
  const find = (page: Page, role: string, name: string) => page.locator(`aria/${name}[role="${role}"]`)
  const click = (page: Page, name: string, role = 'button') => find(page, role, name).click()
  /** By the label, because fields for passwords have no role. */
  async function fill(page: Page, label: string, text: string): Promise<void> {
    await page.locator(`xpath///label[starts-with(., "${label}")]`).click()
    await page.keyboard.type(text)
  }
  const textOf = (page: Page, selector: string) =>
    page
      .locator(selector)
      .map((element) => element.textContent)
      .wait()

  async function createLink(page: Page): Promise<string> {
    await click(page, 'Create link')
    return textOf(page, '.link-box')
  }
  async function attach(page: Page): Promise<void> {
    const path = join(folder, 'grüße.txt')
    writeFileSync(path, 'grüße')
    const input = (await page.waitForSelector('input[type=file]')) ?? expect.fail('no field for files')
    await input.uploadFile(path)
    await find(page, 'button', 'Remove grüße.txt').wait()
  }
  async function saveFile(page: Page): Promise<void> {
    await click(page, 'Save')
    await find(page, 'button', 'Save again').wait()
  }

  test('a text with a password is created and opened', async () => {
    const sender = await newVisitor('/')
    await fill(sender, 'Your secret', TEXT)
    await fill(sender, 'Password', PASSWORD)
    const reader = await newVisitor(await createLink(sender))
    await fill(reader, 'Password', PASSWORD)
    await click(reader, 'Reveal secret')
    expect(await textOf(reader, '.secret')).toBe(TEXT)
  })

  test('a file is sent and saved', async () => {
    const sender = await newVisitor('/')
    await attach(sender)
    const reader = await newVisitor(await createLink(sender))
    await click(reader, 'Reveal secret')
    await saveFile(reader)
  })

  test('a request gets a submission, which is collected', async () => {
    const owner = await newVisitor('/request')
    await fill(owner, 'What do you need?', 'den Schlüssel')
    await click(owner, 'Create request')
    await owner.waitForSelector('.link-box')
    const links = await owner.$$eval('.link-box', (boxes) => boxes.map(({ textContent }) => textContent))
    const [request = '', collect = ''] = links
    const submitter = await newVisitor(request)
    await click(submitter, 'Show the request')
    await fill(submitter, 'Your secret', TEXT)
    await click(submitter, 'Encrypt and send')
    await find(submitter, 'heading', 'Sent').wait()
    const collector = await newVisitor(collect)
    await click(collector, 'Show submissions')
    await click(collector, 'Open submission 1')
    expect(await textOf(collector, '.secret')).toBe(TEXT)
  })

  test('a user signs in and out', async () => {
    const body = JSON.stringify({ username: 'zoe-1', email: 'zoe@example.org', password: PASSWORD })
    const headers = { 'content-type': 'application/json', origin: server.url }
    await fetch(`${server.url}/api/v1/authentication/signup`, { method: 'POST', headers, body })
    const page = await newVisitor('/signin')
    await fill(page, 'Username', 'zoe-1')
    await fill(page, 'Password', PASSWORD)
    await click(page, 'Sign in')
    await find(page, 'heading', 'Hi, zoe-1').wait()
    await click(page, 'Sign out', 'link')
    await find(page, 'heading', "You're signed out").wait()
  })
})
