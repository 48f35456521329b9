/** Uploads and downloads that are interrupted: by the connection, by a restart of the server, by leaving the page. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { waitForComposer } from '#test/browser/page-actions'
import { startRecordingProxy } from '#test/browser/recording-proxy'
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
import { startServer } from '#test/start-server'

const PARTS = '**/api/v1/files/*/*'
const PART = 8 * 2 ** 20
const TWO_PARTS = 9 * MB

const NO_LONG_TIMERS = `
  const later = setTimeout
  window.setTimeout = (act, ms = 0, ...args) => (ms >= 500 ? 0 : later(act, ms, ...args))`

describe('an interrupted transfer', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ env: NO_UPLOAD_LIMITS })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  async function composer(): Promise<Page> {
    const page = await fixture.newVisitor()
    await page.goto('/')
    await waitForComposer(page)
    return page
  }
  const create = (page: Page) => page.getByRole('button', { name: 'Create link' }).click()

  /** These parts are lost once each. Returns the indexes of the parts that the server stored. */
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

  test('a connection that breaks in the first, the middle and the last part of a file continues there, in both directions', async () => {
    const page = await composer()
    const arrived = await cutAt(page, [0, 1, 3])
    const file = makeFile('large.bin', 26 * MB)
    await attachFiles(page, [file])
    await create(page)
    await page.getByText('Connection lost.').first().waitFor()
    const link = await waitForLink(page)
    expect(arrived.sort()).toEqual([0, 1, 2, 3])

    const reader = await fixture.newVisitor()
    await reveal(reader, link)
    const cuts = new Set([0, 1, 3])
    const requested: number[] = []
    await reader.route('**/api/v1/download', async (route) => {
      const { part } = route.request().postDataJSON()
      requested.push(part)
      if (cuts.delete(part)) await route.abort('connectionreset')
      else await route.continue()
    })
    expect(sha256((await saveFile(reader, 'Save')).bytes)).toBe(sha256(file.buffer))
    expect(requested).toEqual([0, 0, 1, 1, 2, 3, 3])
  }, 300_000)

  test('an upload continues as soon as the browser is online again, without waiting for the next retry', async () => {
    const page = await fixture.newVisitor()
    // No retry timer ends, so only the event of the browser can continue the upload.
    await page.addInitScript(NO_LONG_TIMERS)
    await page.goto('/')
    await attachFiles(page, [makeFile('file.bin', TWO_PARTS)])
    await cutAt(page, [1])
    await create(page)
    await page.getByText('Connection lost.').first().waitFor()
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await waitForLink(page)
  })

  test('the progress bar moves while a part is uploaded', async () => {
    const page = await composer()
    const session = await page.context().newCDPSession(page)
    await attachFiles(page, [makeFile('file.bin', TWO_PARTS)])
    const seen = new Set<number>()
    // So slow that a part takes about 3 seconds.
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 3 * MB }
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', slow)
    await create(page)
    const look = async () => {
      const values = '[...document.querySelectorAll(".transfer progress")].map(({ value }) => value)'
      for (const value of await page.evaluate<number[]>(values)) seen.add(value)
      return [...seen].filter((value) => value % PART !== 0 && value !== TWO_PARTS)
    }
    await expect.poll(look, { interval: 20 }).not.toEqual([])
    await waitForLink(page)
  })

  test('leaving the page asks for confirmation during an upload, but not after it is cancelled', async () => {
    const page = await composer()
    /** Type of the dialog that a reload opens; null when the page is loaded again. */
    const reload = () => {
      const dialog = page.waitForEvent('dialog').then((each) => each.type())
      const loaded = page.waitForEvent('load').then(() => null)
      // Only one of the two happens.
      for (const each of [dialog, loaded]) each.catch(() => {})
      void page.evaluate('location.reload()').catch(() => {})
      return Promise.race([dialog, loaded])
    }
    page.removeAllListeners('dialog')
    page.on('dialog', (dialog) => dialog.dismiss())
    await attachFiles(page, [makeFile('file.bin', 1000)])
    await page.route(PARTS, () => {})
    await create(page)
    await page.getByRole('heading', { name: 'Encrypting and uploading' }).waitFor()
    expect(await reload()).toBe('beforeunload')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Create link' }).waitFor()
    expect(await reload()).toBeNull()
  })

  test('a file that changed after it was attached is reported, and leaves nothing on the server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-changed-'))
    const before = countBlobs(fixture)
    try {
      const page = await composer()
      const path = join(folder, 'file.bin')
      writeFileSync(path, Buffer.alloc(1000))
      await page.locator('input[type=file]').setInputFiles(path)
      await page.locator('.files > li').waitFor()
      writeFileSync(path, Buffer.alloc(900))
      await create(page)
      await page.getByText("A file can't be read").waitFor()
      await page.locator('input[type=file]:focus').waitFor()
    } finally {
      rmSync(folder, { recursive: true })
    }
    await expect.poll(() => countBlobs(fixture)).toBe(before)
  })
})

describe('a restart of the server during a transfer', needs('chromium'), () => {
  test('breaks a request, and the transfer continues, in both directions', async () => {
    const proxy = await startRecordingProxy()
    const dataDir = mkdtempSync(join(tmpdir(), 'mayfly-restart-'))

    const env = { ...NO_UPLOAD_LIMITS, MAYFLY_PUBLIC_URL: proxy.url }
    const fixture = await startBrowserFixture({ env, publicUrl: proxy.url, dataDir })
    proxy.port = fixture.server.port
    let server = fixture.server
    /** Kills the server while this page transfers the second part, and starts it again. */
    const restartDuring = async (page: Page, isSecondPart: (request: Request) => boolean) => {
      const failed = page.waitForEvent('requestfailed', { predicate: isTransfer })
      await page.waitForRequest(isSecondPart)
      await server.kill()
      server = await startServer({ env, dataDir })
      proxy.port = server.port
      await failed
    }
    try {
      const file = makeFile('large.bin', 20 * MB)
      const sender = await fixture.newVisitor()
      await sender.goto('/')
      await attachFiles(sender, [file])
      const restarted = restartDuring(sender, (request) => request.method() === 'PUT' && partOf(request.url()) === 1)
      await sender.getByRole('button', { name: 'Create link' }).click()
      await restarted
      const link = await waitForLink(sender)
      const reader = await fixture.newVisitor()
      await reveal(reader, link)
      const restartedAgain = restartDuring(
        reader,
        (request) => isDownload(request) && request.postDataJSON().part === 1,
      )
      const saving = saveFile(reader, 'Save')
      await restartedAgain
      expect(sha256((await saving).bytes)).toBe(sha256(file.buffer))
    } finally {
      await fixture.close()
      await server.kill()
      await proxy.close()
      rmSync(dataDir, { recursive: true })
    }
  }, 180_000)
})

const isDownload = (request: Request): boolean => request.url().endsWith('/download')
const isTransfer = (request: Request): boolean => request.method() === 'PUT' || isDownload(request)
const partOf = (url: string): number => Number(new URL(url).pathname.split('/').at(-1))
