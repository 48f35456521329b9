/** The main stories in Firefox, driven by WebDriver BiDi. */
import { type Browser, launch } from 'puppeteer-core'
import { afterEach, describe, expect } from 'vitest'
import { type Role, runMainStories, type StoryBrowser, type StoryPage } from '#test/browser/main-stories'
import { needs } from '#test/needs'
import { findProgram } from '#test/tools'

const TIMEOUT_MS = 60_000

describe('in Firefox', needs('firefox'), () => {
  const errors: string[] = []
  runMainStories(async () => {
    const executablePath = findProgram('firefox-esr') as string
    return drive(await launch({ browser: 'firefox', executablePath, timeout: TIMEOUT_MS }), errors)
  })
  afterEach(() => expect(errors.splice(0)).toEqual([]))
})

const drive = (browser: Browser, errors: string[]): StoryBrowser => ({
  async newVisitor(url): Promise<StoryPage> {
    const page = await (await browser.createBrowserContext()).newPage()
    page.setDefaultTimeout(TIMEOUT_MS)
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.goto(url)
    const find = (role: Role, name: string) => page.locator(`aria/${name}[role="${role}"]`)
    return {
      click: (role, name) => find(role, name).click(),
      waitFor: async (role, name) => void (await find(role, name).wait()),
      async fill(label, text) {
        await page.locator(`xpath///label[starts-with(., "${label}")]`).click()
        await page.keyboard.type(text)
      },
      async attach(path) {
        const input = (await page.waitForSelector('input[type=file]')) ?? expect.fail('no field for files')
        await input.uploadFile(path)
      },
      async textsOf(selector) {
        await page.waitForSelector(selector)
        return page.$$eval(selector, (elements) => elements.map(({ textContent }) => textContent ?? ''))
      },
    }
  },
  close: () => browser.close(),
})
