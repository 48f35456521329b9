/** Uploads and downloads one large file in Chromium, and measures speed and memory of the tab. */
import { readFile, stat } from 'node:fs/promises'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import type { RunningServer } from '#test/start-server'
import { CHROMIUM } from './page-weight.js'

export interface BrowserTransfer {
  what: 'upload in a browser' | 'download in a browser'
  /** 10^6 bytes of the file per second. */
  mbPerSecond: number
  /** Peaks of anonymous resident memory: of the tab's process and of the browser's. */
  tabMib: number
  browserMib: number
}

const LOOK_MS = 100
const HOURS = 4 * 3_600_000

/** Null without Chromium. Needs /proc. */
export async function inBrowser(server: RunningServer, path: string): Promise<BrowserTransfer[] | null> {
  if (!CHROMIUM) return null
  const { size } = await stat(path)
  // Chromium's sandbox does not work for root, the usual user in containers.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-quic'] })
  const session = await browser.newBrowserCDPSession()
  const measure = async (what: BrowserTransfer['what'], work: () => Promise<unknown>): Promise<BrowserTransfer> => {
    const watched = watchMemory(session)
    const started = performance.now()
    await work()
    const seconds = (performance.now() - started) / 1000
    return { what, mbPerSecond: size / 1e6 / seconds, ...(await watched.peak()) }
  }
  try {
    const sender = await visit(browser, server.url)
    await sender.locator('input[type=file]').setInputFiles(path)
    const upload = await measure('upload in a browser', async () => {
      await sender.getByRole('button', { name: 'Create link' }).click()
      await sender.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    })
    const link = (await sender.locator('.link-box').first().textContent()) as string
    await sender.close()
    const reader = await visit(browser, link)
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await reader.locator('.files').waitFor()
    const download = await measure('download in a browser', async () => {
      const coming = reader.waitForEvent('download')
      const failing = reader.locator('.files .error').textContent()
      await reader.getByRole('button', { name: 'Save', exact: true }).click()
      const outcome = await Promise.race([coming, failing])
      if (typeof outcome === 'string' || outcome === null) throw new Error(`it was not saved: ${outcome}`)
      const saved = await stat(await outcome.path())
      if (saved.size !== size) throw new Error(`${saved.size} of ${size} bytes were saved`)
    })
    return [upload, download]
  } finally {
    await browser.close()
  }
}

async function visit(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(HOURS)
  await page.goto(url, { waitUntil: 'networkidle' })
  return page
}

/** Memory of the largest renderer. Chromium keeps an empty one in reserve. */
function watchMemory(session: CDPSession) {
  let tabMib = 0
  let browserMib = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      for (const { type, id } of processInfo) {
        const mib = await anonymousMib(id)
        if (type === 'renderer') tabMib = Math.max(tabMib, mib)
        if (type === 'browser') browserMib = Math.max(browserMib, mib)
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  })()
  return {
    async peak() {
      isOver = true
      await watching
      return { tabMib, browserMib }
    },
  }
}

/** Returns 0 for a process that has ended. */
async function anonymousMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}
