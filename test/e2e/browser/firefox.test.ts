/** The main stories in Firefox, driven by WebDriver BiDi. */
import { type Browser, launch, type Page } from 'puppeteer-core'
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

async function drive(browser: Browser, errors: string[]): Promise<StoryBrowser> {
  // A new context is a new process of the browser, which takes longer to start than most steps.
  const page = await browser.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  // Leaves without asking.
  page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') errors.push(`dialog: ${dialog.message()}`)
    void dialog.accept()
  })
  const storyPage = createPage(page)
  return {
    async newVisitor(url) {
      if (page.url().startsWith('http')) await forgetVisitor(page)
      await page.goto(url)
      return storyPage
    },
    close: () => browser.close(),
  }
}

/** Clears the cookies and the storage of the page that is shown. */
async function forgetVisitor(page: Page): Promise<void> {
  const context = page.browserContext()
  await context.deleteCookie(...(await context.cookies()))
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
}

function createPage(page: Page): StoryPage {
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
}
