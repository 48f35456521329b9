/** The main stories of the page. Browsers other than Chromium run only these, each through its own driver. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REQUESTS_FOR_ANYONE, type RunningServer, startServer } from '../start-server.js'

export type Role = 'button' | 'link' | 'heading'

/** Every method waits until the page has what it needs. */
export interface StoryPage {
  click(role: Role, name: string): Promise<void>
  waitFor(role: Role, name: string): Promise<void>
  /** `label`: the start of the text of the label, because fields for passwords have no role. */
  fill(label: string, text: string): Promise<void>
  attach(path: string): Promise<void>
  textsOf(selector: string): Promise<string[]>
}

export interface StoryBrowser {
  /** A page without cookies and storage. The page before is not used any more. */
  newVisitor(url: string): Promise<StoryPage>
  close(): Promise<void>
}

const TEXT = 'geheim ☃\nzweite Zeile'
const PASSWORD = 'amber-river-94'

/** Defines the tests. */
export function runMainStories(launch: () => Promise<StoryBrowser>): void {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-stories-'))
  let server: RunningServer
  let browser: StoryBrowser
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer({ settings: [REQUESTS_FOR_ANYONE] }), launch()])
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const newVisitor = (path: string) => browser.newVisitor(new URL(path, server.url).href)
  const textOf = async (page: StoryPage, selector: string) => (await page.textsOf(selector))[0] ?? ''

  async function createLink(page: StoryPage): Promise<string> {
    await page.click('button', 'Create link')
    return textOf(page, '.link-box')
  }

  test('a text with a password is created and opened', async () => {
    const sender = await newVisitor('/')
    await sender.fill('Your secret', TEXT)
    await sender.fill('Password', PASSWORD)
    const reader = await newVisitor(await createLink(sender))
    await reader.fill('Password', PASSWORD)
    await reader.click('button', 'Reveal secret')
    expect(await textOf(reader, '.secret')).toBe(TEXT)
  })

  test('a file is sent and saved', async () => {
    const path = join(folder, 'grüße.txt')
    writeFileSync(path, 'grüße')
    const sender = await newVisitor('/')
    await sender.attach(path)
    await sender.waitFor('button', 'Remove grüße.txt')
    const reader = await newVisitor(await createLink(sender))
    await reader.click('button', 'Reveal secret')
    await reader.click('button', 'Save')
    await reader.waitFor('button', 'Save again')
  })

  test('a request gets a submission, which is collected', async () => {
    const owner = await newVisitor('/request')
    await owner.fill('What do you need?', 'den Schlüssel')
    await owner.click('button', 'Create request')
    const [request = '', collect = ''] = await owner.textsOf('.link-box')
    const submitter = await newVisitor(request)
    await submitter.click('button', 'Show the request')
    await submitter.fill('Your secret', TEXT)
    await submitter.click('button', 'Encrypt and send')
    await submitter.waitFor('heading', 'Sent')
    const collector = await newVisitor(collect)
    await collector.click('button', 'Show submissions')
    await collector.click('button', 'Open submission 1')
    expect(await textOf(collector, '.secret')).toBe(TEXT)
  })

  test('a user signs in and out', async () => {
    const body = JSON.stringify({ username: 'zoe-1', email: 'zoe@example.org', password: PASSWORD })
    const headers = { 'content-type': 'application/json', origin: server.url }
    await fetch(`${server.url}/api/v1/authentication/signup`, { method: 'POST', headers, body })
    const page = await newVisitor('/signin')
    await page.fill('Username', 'zoe-1')
    await page.fill('Password', PASSWORD)
    await page.click('button', 'Sign in')
    await page.waitFor('heading', 'Hi, zoe-1')
    await page.click('link', 'Sign out')
    await page.waitFor('heading', "You're signed out")
  })
}
