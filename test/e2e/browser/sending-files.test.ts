/** Attaching and sending files: every way to attach them, every limit, and cancel. */

import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { PublicSettings } from '#shared/api/instance'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { pressKeyOn } from '#test/browser/keyboard'
import { alterResponse, waitForComposer } from '#test/browser/page-actions'
import {
  attachFiles,
  countBlobs,
  makeFile,
  NO_UPLOAD_LIMITS,
  reveal,
  saveFile,
  sha256,
  type TestFile,
  waitForLink,
} from '#test/browser/test-files'
import { needs } from '#test/needs'

interface Changes {
  uploads?: boolean
  limits: Partial<PublicSettings['limits']>
}

const changeSettings = (page: Page, { limits, ...others }: Changes) =>
  alterResponse(page, '**/api/v1/settings', (json) => ({ ...json, ...others, limits: { ...json.limits, ...limits } }))

describe('sending files', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ env: { ...NO_UPLOAD_LIMITS, MAYFLY_MAX_FILES: '50' } })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  /** `changes`: of what the page knows about the server. */
  async function composer(changes?: Changes): Promise<Page> {
    const page = await fixture.newVisitor()
    if (changes) await changeSettings(page, changes)
    await page.goto('/')
    await waitForComposer(page)
    return page
  }
  const create = (page: Page) => page.getByRole('button', { name: 'Create link' }).click()
  const publish = (page: Page) => page.getByRole('button', { name: 'Publish' }).click()
  const names = (page: Page) => page.locator('.files .name').allTextContents()
  const sizes = (page: Page) => page.locator('.files li .hint').allTextContents()

  /** A drop or paste event, created in the page. */
  const hand = (page: Page, kind: string, files: Pick<TestFile, 'name' | 'mimeType'>[], text = '') =>
    page.evaluate<boolean>(`(() => {
      const data = new DataTransfer()
      for (const { name, mimeType } of ${JSON.stringify(files)}) {
        data.items.add(new File(['content of ' + name], name, { type: mimeType }))
      }
      if (${JSON.stringify(text)}) data.setData('text/plain', ${JSON.stringify(text)})
      const detail = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data }
      const event = '${kind}' === 'paste' ? new ClipboardEvent('paste', detail) : new DragEvent('${kind}', detail)
      return document.querySelector('form').dispatchEvent(event)
    })()`)

  test('files are listed with their sizes and removed by keyboard', async () => {
    const page = await composer()
    await attachFiles(page, [makeFile('a.pdf', 3000), makeFile('b.pdf', 4_200_000), makeFile('empty', 0)])
    await expect.poll(() => names(page)).toEqual(['a.pdf', 'b.pdf', 'empty'])
    await expect.poll(() => sizes(page)).toEqual(['3 kB', '4.2 MB', '0 bytes'])
    await page.getByText('3 files, 4.2 MB in total.').waitFor()
    const focused = () =>
      page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.type')
    await page.getByRole('button', { name: 'Remove b.pdf' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => focused()).toBe('Remove empty')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused()).toBe('file')
    await expect.poll(() => names(page)).toEqual(['a.pdf'])
  })

  test('files can be dropped anywhere on the page', async () => {
    const page = await composer()
    expect(await hand(page, 'dragenter', [makeFile('a.txt', 0), makeFile('b.txt', 0)])).toBe(false)
    await page.getByText('Drop to attach 2 files').waitFor()
    expect(await hand(page, 'drop', [makeFile('a.txt', 0), makeFile('b.txt', 0)])).toBe(false)
    await page.locator('.files li').nth(1).waitFor()
    await expect.poll(() => names(page)).toEqual(['a.txt', 'b.txt'])
    await expect.poll(() => page.locator('.drop-here').count()).toBe(0)
  })

  test('a pasted picture gets a name, and pasted text goes to the field', async () => {
    const page = await composer()
    const picture = { name: 'image.png', mimeType: 'image/png' }
    expect(await hand(page, 'paste', [picture])).toBe(false)
    expect(await hand(page, 'paste', [picture])).toBe(false)
    await page.locator('.files li').nth(1).waitFor()
    await expect.poll(() => names(page)).toEqual(['picture-1.png', 'picture-2.png'])
    expect(await hand(page, 'paste', [picture], 'a cell of a table')).toBe(true)
    await expect.poll(() => names(page)).toHaveLength(2)
  })

  test('a secret needs a text or a file', async () => {
    const page = await composer()
    await create(page)
    await page.getByText('Enter some text or attach a file.').waitFor()
    const file = makeFile('alone.bin', 100)
    await attachFiles(page, [file])
    await create(page)
    const link = await waitForLink(page)
    const reader = await fixture.newVisitor()
    await reveal(reader, link)
    await expect.poll(() => reader.locator('.secret').count()).toBe(0)
    expect((await saveFile(reader, 'Save')).bytes.equals(file.buffer)).toBe(true)
  })

  /**
   * Presses the button while a file is still being added. `finish`: what happens to the request for the part of the app
   * that reads files, which the first file loads.
   */
  async function createWhileAdding(page: Page, file: TestFile, finish: (route: Route) => Promise<void>): Promise<void> {
    const isBusy = page.getByRole('button', { name: 'Creating' }).waitFor()
    await page.route(/file-support/, async (route) => {
      await isBusy
      await finish(route)
    })
    await page.getByLabel('Your secret').fill('täxt')
    await page.locator('input[type=file]').setInputFiles([file])
    await create(page)
    await isBusy
  }

  test('a file that is still being added when the button is pressed is in the link', async () => {
    const page = await composer()
    const file = makeFile('slow ☃.bin', 100)
    await createWhileAdding(page, file, (route) => route.continue())
    const reader = await fixture.newVisitor()
    await reveal(reader, await waitForLink(page))
    expect((await saveFile(reader, 'Save')).bytes.equals(file.buffer)).toBe(true)
  })

  test('a file that could not be added stops the creation, until it is tried again', async () => {
    const page = await composer()
    await createWhileAdding(page, makeFile('lost.bin', 100), (route) => route.abort())
    await page.locator('.attach .error').waitFor()
    await page.getByRole('button', { name: 'Create link' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Your link is ready' }).count()).toBe(0)
    await create(page)
    await waitForLink(page)
    // The browser reports them a moment after the page has shown the failure.
    expect(fixture.takeErrors().every((error) => /file-support|Failed to load/.test(error))).toBe(true)
  })

  test('a failure below a long list of files is scrolled into view and has the focus', async () => {
    const page = await composer()
    await page.locator('input[type=file]').setInputFiles(Array.from({ length: 50 }, (_, i) => makeFile(`${i}.bin`, 10)))
    await page.getByText('49.bin').waitFor()
    await page.route('**/api/v1/files', (route) => route.fulfill({ status: 500, json: {} }))
    await page.evaluate('scrollTo(0, 0)')
    await page.keyboard.press('Control+Enter')
    await page.locator('.failure:focus').waitFor()
    const isInView = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector('.failure').getBoundingClientRect())`
    await expect.poll(() => page.evaluate(isInView)).toBe(true)
  })

  test('the keyboard alone attaches, sends and saves a file', async () => {
    const page = await composer()
    // Asked for early: the browser is told of it beside the keys, not in their order.
    const chooser = page.waitForEvent('filechooser')
    await page.locator('textarea:focus:not(#early-text)').waitFor()
    await page.keyboard.press('Tab')
    await page.locator('input[type=file]:focus').waitFor()
    await page.keyboard.press('Enter')
    await (await chooser).setFiles([makeFile('by-key.txt', 10)])
    await page.locator('.files li').waitFor()
    await page.keyboard.press('Control+Enter')
    const reader = await fixture.newVisitor()
    await reader.goto(await waitForLink(page))
    await pressKeyOn(reader.getByRole('button', { name: 'Reveal secret' }))
    const download = reader.waitForEvent('download')
    await pressKeyOn(reader.getByRole('button', { name: 'Save', exact: true }))
    expect((await download).suggestedFilename()).toBe('by-key.txt')
  })

  test('too many and too large files are reported with the limit', async () => {
    const page = await composer({ limits: { maxFileBytes: 2000, maxFiles: 2, maxTextBytes: 3000 } })
    await attachFiles(page, [makeFile('large.bin', 4200)])
    await page.getByText('This file is larger than the limit of 2 kB').waitFor()
    await create(page)
    await page.getByText('Each file can be up to 2 kB. Remove larger files to continue.').waitFor()
    await page.locator('input[type=file]:focus').waitFor()
    await page.getByRole('button', { name: 'Remove large.bin' }).click()
    await page.getByText('Each file can be up to 2 kB. Remove').waitFor({ state: 'detached', timeout: 10_000 })
    await attachFiles(
      page,
      ['a', 'b', 'c'].map((name) => makeFile(name, 1500)),
    )
    await create(page)
    await page.getByText('You can attach up to 2 files.').waitFor()
    await page.getByRole('button', { name: 'Remove a' }).click()
    await page.getByLabel('Your secret').fill('text')
    await page.getByText('More options').click()
    await page.getByLabel('List publicly').check()
    await attachFiles(page, [makeFile('d', 1)])
    await page.getByRole('button', { name: 'Remove d' }).click()
    await page.getByText('Files of a public secret can be up to 3 kB in total.').first().waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
  })

  test('disabled uploads are reported, and the text is sent', async () => {
    const page = await composer({ uploads: false, limits: { maxFiles: 0 } })
    await page.getByLabel('Your secret').fill('text')
    await page.locator('input[type=file]').setInputFiles([makeFile('a', 1)])
    await page.getByText('File uploads are turned off on this site. You can still send text.').waitFor()
    await expect.poll(() => page.locator('.files').count()).toBe(0)
    await create(page)
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
  })

  test('a public secret carries small files', async () => {
    const page = await composer()
    const file = makeFile('Wi-Fi ☃.html', 5000)
    await attachFiles(page, [file])
    await page.getByText('More options').click()
    await page.getByLabel('List publicly').check()
    await publish(page)
    await page.getByText("Enter some text. A public secret can't consist of files only.").waitFor()
    await page.getByLabel('Your secret').fill('for everyone')
    await publish(page)
    const reader = await fixture.newVisitor()
    await reveal(reader, await waitForLink(page))
    const { name, bytes } = await saveFile(reader, 'Save')
    expect([name, sha256(bytes)]).toEqual([file.name, sha256(file.buffer)])
  })

  test('cancel leaves no parts on the server and keeps the form', async () => {
    const page = await composer()
    const before = countBlobs(fixture)
    let puts = 0
    // The second upload is held back, so that there is something to cancel.
    await page.route('**/api/v1/files/*/*', async (route) => {
      puts += 1
      if (puts > 1) return
      await route.continue()
    })
    await page.getByLabel('Your secret').fill('stays')
    await attachFiles(page, [makeFile('first.bin', 10), makeFile('large.bin', 2000)])
    const first = page.waitForResponse((response) => response.request().method() === 'PUT')
    await create(page)
    await page.getByRole('heading', { name: 'Encrypting and uploading' }).waitFor()
    await first
    const border = await page.evaluate(`getComputedStyle(document.querySelector('.files > li')).borderBlockEndWidth`)
    expect(border).toBe('0px')
    await expect.poll(() => page.locator('.transfer > .between h2').evaluate((h2) => h2.matches(':focus'))).toBe(true)
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await deleted
    await page.getByRole('button', { name: 'Create link' }).waitFor()
    await expect.poll(() => names(page)).toEqual(['first.bin', 'large.bin'])
    await expect.poll(() => page.getByLabel('Your secret').inputValue()).toBe('stays')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await expect.poll(() => countBlobs(fixture)).toBe(before)
  })
})
