/** `npm run dev` in a copy of the sources that was never built: it serves the app, and shows changes of both halves. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitForComposer } from '#test/browser/page-actions'
import { freePort } from '#test/free-port'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'
import { findChromium } from '#test/tools'

const COPIED = ['core', 'plugins', 'cli', 'migrations', 'config', 'web', 'scripts', 'package.json', 'tsconfig.json']
const HEADING = 'Share a secret'

describe('npm run dev', needs('chromium'), () => {
  let folder: string
  let url: string
  let server: ChildProcess
  let browser: Browser
  let page: Page
  let log = ''

  beforeAll(async () => {
    // Inside the repository, so that its packages are found; in an ignored folder, so that no tool reads the copy.
    await mkdir(join(ROOT, 'data'), { recursive: true })
    folder = await mkdtemp(join(ROOT, 'data/dev-'))
    for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true })
    const port = await freePort()
    url = `http://localhost:${port}`
    server = spawn('npm', ['run', 'dev', '--', '--port', String(port)], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, MAYFLY_HOST: 'localhost' },
      // With a process group of its own, npm and everything below it ends together.
      detached: true,
    })
    for (const stream of [server.stdout, server.stderr]) stream?.on('data', (text) => (log += text))
    browser = await chromium.launch({ executablePath: findChromium() as string, args: ['--no-sandbox'] })
    page = await browser.newPage({ baseURL: url })
  })

  afterAll(async () => {
    await browser?.close()
    if (server?.pid && server.exitCode === null) {
      const ended = once(server, 'close')
      process.kill(-server.pid, 'SIGTERM')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  })

  test('serves the app without a build', async () => {
    await expect.poll(() => log).toContain(`Ready on ${url}`)
    // Vite tells changes to pages that are connected, so a change before that would not appear.
    const connected = page.waitForEvent('console', (message) => message.text().includes('[vite] connected'))
    await page.goto('/')
    await page.getByRole('heading', { name: HEADING }).waitFor()
    await connected
    await waitForComposer(page)
    expect(existsSync(join(folder, 'dist'))).toBe(false)
  })

  test('a change in web appears in the open page', async () => {
    await page.evaluate('window.isSamePage = true')
    await replace('web/components/Page.tsx', '<h1 ref', '<h1 data-change="ä" ref')
    await page.locator('h1[data-change="ä"]').waitFor()
    expect(await page.evaluate('window.isSamePage')).toBe(true)
  })

  test('a change in core restarts the server and reloads the page', async () => {
    await replace('core/lib/errors.ts', 'Unknown endpoint.', 'Changed endpoint, ä.')
    await expect.poll(unknownEndpoint).toContain('Changed endpoint, ä.')
    await expect.poll(() => page.evaluate('window.isSamePage')).toBeUndefined()
    await page.getByRole('heading', { name: HEADING }).waitFor()
  })

  test('a syntax error keeps the server, and its repair restarts it', async () => {
    await replace('core/lib/errors.ts', 'Changed endpoint', "' broken")
    await expect.poll(() => log).toContain('core/lib/errors.ts:')
    expect(await unknownEndpoint()).toContain('Changed endpoint, ä.')
    await replace('core/lib/errors.ts', "' broken", 'Repaired endpoint')
    await expect.poll(unknownEndpoint).toContain('Repaired endpoint, ä.')
  })

  /** Empty while the server restarts. */
  async function unknownEndpoint(): Promise<string> {
    const response = await fetch(`${url}/api/v1/nowhere`).catch(() => null)
    return (await response?.text()) ?? ''
  }

  async function replace(path: string, before: string, after: string): Promise<void> {
    const text = await readFile(join(folder, path), 'utf8')
    expect(text).toContain(before)
    // In one step, as editors do: Vite could read a file that is only half written.
    await writeFile(join(folder, 'changed'), text.replace(before, after))
    await rename(join(folder, 'changed'), join(folder, path))
  }
})
