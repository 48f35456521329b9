/** Files on their way over lines that break and pages that are left. */

import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import {
  attachFiles,
  countBlobs,
  MB,
  makeFile,
  NO_UPLOAD_LIMITS,
  reveal,
  saveFile,
  sha256,
  waitForLink,
} from '#test/browser/test-files'
import { needs } from '#test/needs'

const PARTS = '**/api/v1/files/*/*'
const PART = 8 * 2 ** 20

const ENDLESS_WAITS = `
  const later = setTimeout
  window.setTimeout = (act, ms = 0, ...args) => (ms >= 500 ? 0 : later(act, ms, ...args))`

describe('sending files', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ env: NO_UPLOAD_LIMITS })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  async function composer(): Promise<Page> {
    const page = await fixture.newVisitor()
    await page.goto('/')
    await page.locator('form textarea').waitFor()
    return page
  }
  const create = (page: Page) => page.getByRole('button', { name: 'Create link' }).click()

  /** These parts are lost once each. Indexes of those that the server has taken come into the answer. */
  async function cutAt(page: Page, parts: number[]): Promise<number[]> {
    const arrived: number[] = []
    const cuts = new Set(parts)
    await page.route(PARTS, async (route) => {
      if (cuts.delete(partOf(route.request().url()))) await route.abort('connectionreset')
      else await route.continue()
    })
    page.on('response', (response) => {
      if (response.request().method() === 'PUT' && response.ok()) arrived.push(partOf(response.url()))
    })
    return arrived
  }

  test('a line that breaks at 10, 50 and 90 % goes on there, and sends no part twice that arrived', async () => {
    const page = await composer()
    const arrived = await cutAt(page, [1, 5, 9])
    const file = makeFile('large.bin', 80 * MB)
    await attachFiles(page, [file])
    await create(page)
    await page.getByText('The connection is lost.').first().waitFor()
    const link = await waitForLink(page)
    expect(arrived.sort()).toEqual(Array.from({ length: 10 }, (_, index) => index))
    const reader = await fixture.newVisitor()
    await reveal(reader, link)
    expect(sha256((await saveFile(reader, 'Save')).bytes)).toBe(sha256(file.buffer))
  }, 180_000)

  test('when the line is back it goes on at once, and does not wait for its turn', async () => {
    const page = await fixture.newVisitor()
    // No wait runs out: what goes on does so because the browser is online.
    await page.addInitScript(ENDLESS_WAITS)
    await page.goto('/')
    await attachFiles(page, [makeFile('file.bin', 20 * MB)])
    await cutAt(page, [1])
    await create(page)
    await page.getByText('The connection is lost.').first().waitFor()
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await waitForLink(page)
  })

  test('the bar moves while a part is on its way', async () => {
    const page = await composer()
    await attachFiles(page, [makeFile('file.bin', 41 * MB)])
    const seen = new Set<number>()
    await create(page)
    const look = async () => {
      const values = '[...document.querySelectorAll(".transfer progress")].map(({ value }) => value)'
      for (const value of await page.evaluate<number[]>(values)) seen.add(value)
      return [...seen].filter((value) => value % PART !== 0 && value !== 41 * MB)
    }
    await expect.poll(look, { interval: 20, timeout: 30_000 }).not.toEqual([])
    await waitForLink(page)
  })

  test('whoever leaves is asked while files are on their way, and neither before nor after', async () => {
    const page = await composer()
    const asked = async () => {
      const asking = page.waitForEvent('dialog', { timeout: 2000 }).then(
        (dialog) => dialog.type(),
        () => 'nothing',
      )
      await page.evaluate('location.reload()').catch(() => {})
      return asking
    }
    await attachFiles(page, [makeFile('file.bin', 20 * MB)])
    await page.route(PARTS, () => {})
    await create(page)
    await page.getByRole('heading', { name: 'Encrypting and uploading' }).waitFor()
    expect(await asked()).toBe('beforeunload')
    expect(fixture.takeErrors()).toEqual(['opened a dialog: '])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Create link' }).waitFor()
    expect(await asked()).toBe('nothing')
  })

  test('a file that changed since it was chosen is told of, and nothing stays at the server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-changed-'))
    const before = countBlobs(fixture)
    try {
      const page = await composer()
      const path = join(folder, 'file.bin')
      writeFileSync(path, Buffer.alloc(50 * MB))
      await page.locator('input[type=file]').setInputFiles(path)
      await page.locator('.files > li').waitFor()
      writeFileSync(path, Buffer.alloc(49 * MB))
      await create(page)
      await page.getByText('A file could not be read').waitFor()
      await page.locator('input[type=file]:focus').waitFor()
    } finally {
      rmSync(folder, { recursive: true })
    }
    await expect.poll(() => countBlobs(fixture)).toBe(before)
  })
})

const partOf = (url: string): number => Number(new URL(url).pathname.split('/').at(-1))
