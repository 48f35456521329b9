/**
 * What can go wrong after the server counted a view, on every page that opens secrets, with files and without:
 * each time the page shows the whole content, or the same tab can show it again until the view is acknowledged.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createRequestClient } from '#shared/client/request-client'
import { upload } from '#shared/client/upload'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { encryptSubmission } from '#shared/crypto/submission'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { createTestRequest, openRequestPage } from '#test/browser/requests'
import { client, createSecret } from '#test/browser/secrets'
import { saveFile, sha256 } from '#test/browser/test-files'
import {
  answering,
  breakingOff,
  type Fault,
  type FaultyProxy,
  losingTheAnswer,
  passOn,
  startFaultyProxy,
} from '#test/faulty-proxy'
import { needs } from '#test/needs'
import { REQUESTS_FOR_ANYONE, type RunningServer, startServer } from '#test/start-server'

const TEXT = 'the text, é ☃\nsecond line'

/** Retries at once. The page shows a lost response after several of them. */
const NO_RETRY_DELAYS = `
  const later = window.setTimeout
  window.setTimeout = (act, ms = 0, ...args) => later(act, ms >= 500 && ms <= 4000 ? 0 : ms, ...args)`

/** The server processes the request, and a proxy responds with an error. */
const badGateway: Fault = async (_, response, pass) => {
  await new Promise((resolve) => void pass().then((answer) => answer.resume().once('end', resolve)))
  response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502</h1>')
}

/** A whole response, but of something else. */
const otherBody =
  (body: string): Fault =>
  async (_, response, pass) => {
    await new Promise((resolve) => void pass().then((answer) => answer.resume().once('end', resolve)))
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }

type Path = 'secret' | 'collect' | 'lite'

const CRASH = 'a crash and restart of the server'

/** With the page and the number of files. The code that notices a fault is the same for all pages. */
const LOST_RESPONSES: [string, Fault, Path, number][] = [
  ['502 of a proxy', badGateway, 'secret', 0],
  ['a body that is cut', breakingOff(100, 'cut'), 'collect', 3],
  ['a connection that breaks', losingTheAnswer, 'lite', 0],
  [CRASH, losingTheAnswer, 'secret', 1],
  ['an empty body', otherBody(''), 'collect', 0],
  ['a body without a text', otherBody('{}'), 'lite', 0],
]

/** Files of `/secret` and `/collect`, by turns. `/lite` opens texts only; it refuses files before the view. */
const FILES: [number, number][] = [
  [0, 3],
  [1, 0],
  [0, 1],
  [3, 0],
]

interface Cell {
  name: string
  id: string
  page: Page
  /** Loads the page until a click opens the secret. */
  load(): Promise<unknown>
  open(): Promise<unknown>
  /** SHA-256 of its files. */
  files: string[]
}

describe('a view that the server counted', needs('chromium'), () => {
  let proxy: FaultyProxy
  let fixture: BrowserFixture
  let server: RunningServer
  let dataDir: string
  /** Faults of POST requests, by the end of their path. */
  const faults = new Map<string, Fault>()
  const env = () => ({ MAYFLY_PUBLIC_URL: proxy.url, MAYFLY_READ_GRACE_SECONDS: '600' })

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'mayfly-lost-'))
    proxy = await startFaultyProxy('http://127.0.0.1:9')
    proxy.fail((request, response, pass) => (takeFault(request) ?? passOn)(request, response, pass))
    const settings = [REQUESTS_FOR_ANYONE]
    fixture = await startBrowserFixture({ publicUrl: proxy.url, env: env(), settings, dataDir })
    server = fixture.server
    proxy.retarget(`http://127.0.0.1:${server.port}`)
  })
  afterAll(async () => {
    await fixture.close()
    if (server !== fixture.server) await server.stop()
    await proxy.close()
    rmSync(dataDir, { recursive: true })
  })
  afterEach(() => {
    faults.clear()
    expect(fixture.takeErrors().filter((error) => !error.includes('ERR_'))).toEqual([])
  })

  function takeFault({ url = '', method }: IncomingMessage): Fault | null {
    const [, fault] = [...faults].find(([path]) => method === 'POST' && url.endsWith(path)) ?? []
    return fault ?? null
  }

  async function restart(): Promise<void> {
    await server.kill()
    server = await startServer({ env: env(), dataDir })
    proxy.retarget(`http://127.0.0.1:${server.port}`)
  }

  /** Claims of the views of a secret so far. */
  const claimsOf = (id: string) =>
    new Set(
      fixture.requests
        .filter((request) => request.method() === 'POST' && request.url().endsWith(`/secret/${id}`))
        .map((request) => request.postDataJSON().claim),
    )

  async function newReader(): Promise<Page> {
    const page = await fixture.newVisitor({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.addInitScript(NO_RETRY_DELAYS)
    return page
  }

  async function uploadFiles(count: number, api = client(fixture)) {
    const contents = Array.from({ length: count }, (_, index) => Buffer.from(`content ${index} é`.repeat(500)))
    const files = await Promise.all(
      contents.map(async (bytes, index) => {
        const source = { size: bytes.length, read: async (start: number, end: number) => bytes.subarray(start, end) }
        return { ...(await upload(api, source)), name: `file ${index}.txt`, type: 'text/plain' }
      }),
    )
    return { files, digests: contents.map(sha256) }
  }

  async function secretCell(path: 'secret' | 'lite', count: number): Promise<Cell> {
    const { files, digests } = await uploadFiles(count)
    const { id, link } = await createSecret(fixture, { text: TEXT, files })
    const page = await newReader()
    return {
      name: `/${path} with ${count} files`,
      id,
      page,
      files: digests,
      load: () => page.goto(link.replace('/secret/', `/${path}/`)),
      open: () => page.locator('main form button[type=submit]').click(),
    }
  }

  async function collectCell(count: number): Promise<Cell> {
    const request = await createTestRequest(fixture)
    const requests = createRequestClient({ server: fixture.url })
    const { submitProof, authenticKey } = request.keys
    const { files, digests } = await uploadFiles(count, requests.uploader(client(fixture), request.id, submitProof))
    const draft = { authenticKey, requestId: request.id, text: encodeText(TEXT), files, expiresAt: request.expiresAt }
    const sealed = await encryptSubmission(draft, request.body.recipient)
    const { id } = await requests.submit(request.id, { submit: submitProof, ...sealed }, newClaim())
    const page = await newReader()
    return {
      name: `/collect with ${count} files`,
      id,
      page,
      files: digests,
      load: () => openRequestPage(page, request.collectLink),
      open: () => page.getByRole('button', { name: 'Open submission 1' }).click(),
    }
  }

  const createCell = (path: Path, count: number) => (path === 'collect' ? collectCell(count) : secretCell(path, count))

  let turns = 0

  const createCells = () => {
    const [secret, collect] = FILES[turns++ % FILES.length] as [number, number]
    return Promise.all([createCell('secret', secret), createCell('collect', collect), createCell('lite', 0)])
  }

  const inAll = (cells: Cell[], step: (cell: Cell) => Promise<unknown>) =>
    Promise.all(
      cells.map(async (cell) => {
        await step(cell).catch((error) => {
          throw new Error(`${cell.name}: ${error.message}`, { cause: error })
        })
      }),
    )

  const isLite = ({ page }: Cell) => page.url().includes('/lite/')
  const isOpen = (page: Page) => page.locator('.secret').isVisible()
  const waitUntilOpen = (page: Page) => page.locator('.secret').waitFor()

  /** After a reload, a collect page shows its list only after a click. */
  async function reload({ page }: Cell): Promise<void> {
    await page.reload()
    if (page.url().includes('/collect/')) await page.locator('main form button[type=submit]').click()
  }

  async function expectText(cell: Cell): Promise<void> {
    const text = cell.page.locator('.secret')
    await text.waitFor()
    expect(await (isLite(cell) ? text.inputValue() : text.textContent())).toBe(TEXT)
  }

  /** Saves every part of it, which acknowledges the view. */
  async function expectContent(cell: Cell): Promise<void> {
    await expectText(cell)
    for (const digest of cell.files) {
      const { bytes } = await saveFile(cell.page, 'Save', 0)
      expect(sha256(bytes)).toBe(digest)
    }
    await cell.page.getByRole('button', { name: 'Copy', exact: true }).click()
  }

  function expectOneClaim(cells: Cell[]): void {
    for (const { name, id } of cells) expect([name, claimsOf(id).size]).toEqual([name, 1])
  }

  const lost = (page: Page) => page.getByText("It's not known whether the secret was opened.").waitFor()

  test.each(LOST_RESPONSES)('REL-28: is repeated for the same tab after %s', async (name, fault, path, count) => {
    const cell = await createCell(path, count)
    faults.set(`/secret/${cell.id}`, fault)
    await cell.load()
    await cell.open()
    await lost(cell.page)
    faults.clear()
    if (name === CRASH) await restart()
    await reload(cell)
    await cell.open()
    await expectContent(cell)
    expectOneClaim([cell])
  })

  test('is repeated by the button of the same page', async () => {
    const cells = await createCells()
    for (const { id } of cells) faults.set(`/secret/${id}`, badGateway)
    await inAll(cells, async ({ page, load, open }) => {
      await load()
      await open()
      await lost(page)
    })
    faults.clear()
    await inAll(cells, async (cell) => {
      await cell.open()
      await expectContent(cell)
    })
    expectOneClaim(cells)
  })

  test('REL-28: is repeated after a reload', async () => {
    const cells = await createCells()
    await inAll(cells, async (cell) => {
      await cell.load()
      await cell.open()
      await waitUntilOpen(cell.page)
      await reload(cell)
      await cell.open()
      await expectContent(cell)
    })
    expectOneClaim(cells)
  })

  test('REL-28: is shown or repeated after Back and Forward', async () => {
    const cells = await createCells()
    await inAll(cells, async (cell) => {
      const { page, load, open } = cell
      await page.goto('/privacy')
      await load()
      await open()
      await waitUntilOpen(page)
      await page.goBack()
      await expect.poll(() => isOpen(page)).toBe(false)
      await page.goForward()
      if (!page.url().includes('/collect/')) await open()
      await expectContent(cell)
    })
    expectOneClaim(cells)
  })

  test('stays on the page when the response to the acknowledgement is lost', async () => {
    const cells = await createCells()
    for (const { id } of cells) faults.set(`/secret/${id}/ack`, losingTheAnswer)
    await inAll(cells, async (cell) => {
      await cell.load()
      await cell.open()
      await expectContent(cell)
      await expectText(cell)
      expect(await cell.page.getByRole('alert').count()).toBe(0)
    })
    expectOneClaim(cells)
  })

  test('REL-28: is repeated after a reload when the acknowledgement did not arrive', async () => {
    const cells = await createCells()
    for (const { id } of cells) faults.set(`/secret/${id}/ack`, answering(502))
    await inAll(cells, async (cell) => {
      await cell.load()
      await cell.open()
      await expectContent(cell)
      expect(await cell.page.getByRole('alert').count()).toBe(0)
      await reload(cell)
      await cell.open()
      await expectContent(cell)
    })
    expectOneClaim(cells)
  })

  test('does not happen on /lite for a secret with files', async () => {
    const cell = await createCell('lite', 3)
    await cell.load()
    await cell.open()
    await cell.page.locator('#problem').getByText('files').waitFor()
    await cell.page.locator('#full').click()
    await cell.page.getByRole('button', { name: 'Reveal secret' }).click()
    await expectContent(cell)
    expectOneClaim([cell])
  })
})
