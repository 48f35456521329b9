/** Accessibility of every state of sending and receiving files. */
import type { Page } from 'playwright-core'
import {
  alterResponse,
  clickLink,
  failWith,
  holdResponse,
  submitForm,
  waitForComposer,
  waitForDialog,
  withSettings,
} from '#test/browser/page-actions'
import { attachFiles, MB, makeFile, makePicture, type TestFile } from '#test/browser/test-files'
import { checkStates } from './check-states.js'
import { visit } from './visit.js'

const NAMES = ['server.key', 'dump-2026-11-21.sql.gz', 'a name that is as long as people make them without a limit.pdf']

/** A draft stays in the app until it is sent: a state that leaves one has a document of its own. */
async function openComposer(page: Page): Promise<void> {
  await visit(page, '/')
  await waitForComposer(page)
}

async function attachSmallFiles(page: Page): Promise<void> {
  await openComposer(page)
  await attachFiles(
    page,
    NAMES.map((name, index) => makeFile(name, (index + 1) * 3000)),
  )
}

const DUMP = makeFile(NAMES[1] as string, 6000)
/** More than the 8 MiB of one part. */
const TWO_PARTS = makeFile(NAMES[1] as string, 9 * MB)

/** Shares a small file and these, and reveals them. */
async function revealWithFiles(page: Page, ...more: TestFile[]): Promise<void> {
  await openComposer(page)
  await page.locator('textarea').fill('with files')
  await attachFiles(page, [makeFile('server.key', 3000), ...more])
  await submitForm(page)
  await page.locator('.link-box').first().waitFor()
  const link = (await page.locator('.link-box').first().textContent()) as string
  await visit(page, link)
  await submitForm(page)
  await page.locator('.files').waitFor()
}

checkStates('files', {
  'home, files': { load: attachSmallFiles },
  'home, files of a public secret': {
    next: async (page) => {
      await page.locator('summary').click()
      await page.locator('details input[type=checkbox]').last().check()
    },
  },
  'home, files held over the page': {
    load: async (page) => {
      await openComposer(page)
      await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([''], 'x'))
      document.querySelector('form').dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }))
    })()`)
      await page.locator('.drop-here').waitFor()
    },
  },
  'home, files over the limits': {
    load: async (page) => {
      await alterResponse(page, '**/api/v1/settings', (json) => ({
        ...json,
        limits: { ...json.limits, maxFileBytes: 4000, maxFiles: 2 },
      }))
      await attachSmallFiles(page)
      await submitForm(page)
      await page.locator('.attach .error').waitFor()
    },
  },
  'home, files turned off': {
    load: async (page) => {
      await withSettings(page, { uploads: false, disable_file_upload: true })
      await openComposer(page)
      await page.locator('input[type=file]').setInputFiles([makeFile('x', 1)])
      await page.locator('.attach .error').waitFor()
    },
  },
  'home, files for users only': {
    load: async (page) => {
      await withSettings(page, { uploads: false })
      await openComposer(page)
      await page.locator('.attach a').waitFor()
    },
  },
  'home, uploading': {
    load: async (page) => {
      await page.route('**/api/v1/files/*/*', (route) =>
        route.request().url().endsWith('/1') ? undefined : route.continue(),
      )
      await openComposer(page)
      await attachFiles(page, [makeFile('server.key', 3000), TWO_PARTS])
      await submitForm(page)
      await page.locator('.files progress[value="8388608"]').waitFor()
    },
  },
  'home, uploading, connection lost': {
    load: async (page) => {
      await page.route('**/api/v1/files', (route) => route.abort())
      await attachSmallFiles(page)
      await submitForm(page)
      // While it waits there are no figures.
      await page
        .locator('.transfer .hint')
        .filter({ hasNotText: /\p{Nd}/u })
        .waitFor()
    },
  },
  'home, uploading, asking before it is left': {
    load: async (page) => {
      await holdResponse(page, '**/api/v1/files/*/*')
      await attachSmallFiles(page)
      await submitForm(page)
      await page.locator('.transfer').waitFor()
      await clickLink(page, '/public')
      await waitForDialog(page)
    },
  },
  'secret, files': (page) => revealWithFiles(page, DUMP),
  'secret, files, time over': {
    next: async (page) => {
      await failWith(page, '**/api/v1/download', 404, { code: 'file.not_found' })
      await page.locator('.files button').first().click()
      await page.locator('.files .error').waitFor()
    },
  },
  'secret, files, one underway': async (page) => {
    await revealWithFiles(page, TWO_PARTS)
    await page.route('**/api/v1/download', (route) =>
      route.request().postDataJSON().part === 1 ? undefined : route.continue(),
    )
    await page.locator('.files button').last().click()
    await page.locator('.files progress[value="8388608"]').waitFor()
  },
  'secret, files, one underway, asking before it is left': async (page) => {
    await revealWithFiles(page, DUMP)
    await holdResponse(page, '**/api/v1/download')
    await page.locator('.files button').first().click()
    await page.locator('.files progress').waitFor()
    await clickLink(page, '/public')
    await waitForDialog(page)
  },
  'secret, files, one shown, one saved': async (page) => {
    await revealWithFiles(page, makePicture('icon.png'))
    await page.locator('.files [aria-pressed]').click()
    await page.locator('.files img').waitFor()
    const download = page.waitForEvent('download')
    await page.locator('.files button').first().click()
    await download
  },
})
