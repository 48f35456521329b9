/** Files for the tests: attach, share, save and compare them. */

import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { BrowserFixture } from './browser-fixture.js'
import { waitForComposer } from './page-actions.js'

export const MB = 1_000_000

export interface TestFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export const makeFile = (name: string, size: number, mimeType = 'text/html'): TestFile => ({
  name,
  mimeType,
  buffer: randomBytes(size),
})

export const makePicture = (name: string): TestFile => ({
  name,
  mimeType: 'image/png',
  buffer: readFileSync(join(import.meta.dirname, '../../../web/public/icon-192.png')),
})

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Settings of a server for tests that send many files. */
export const NO_UPLOAD_LIMITS = {
  MAYFLY_VISITOR_BYTES_PER_DAY: '100000000000',
  MAYFLY_MAX_OPEN_UPLOADS: '1000',
}

export async function attachFiles(page: Page, files: TestFile[]): Promise<void> {
  const input = page.locator('input[type=file]')
  const rows = page.locator('.files > li')
  const before = await rows.count()
  // Playwright carries no more than 50 MB by itself.
  if (files.some(({ buffer }) => buffer.length > 40 * MB)) {
    const folder = mkdtempSync(join(tmpdir(), 'mayfly-attached-'))
    const paths = files.map(({ name }) => join(folder, name))
    for (const [index, path] of paths.entries()) writeFileSync(path, files[index]?.buffer ?? '')
    await input.setInputFiles(paths)
  } else {
    await input.setInputFiles(files)
  }
  await rows.nth(before + files.length - 1).waitFor()
}

export async function waitForLink(page: Page): Promise<string> {
  await page.getByRole('heading', { name: 'Your link is ready' }).waitFor({ timeout: 100_000 })
  return (await page.locator('.link-box').first().textContent()) as string
}

/** Attaches and sends files. Returns the link. */
export async function shareFiles(page: Page, files: TestFile[]): Promise<string> {
  await page.goto('/')
  await waitForComposer(page)
  await attachFiles(page, files)
  await page.getByRole('button', { name: 'Create link' }).click()
  return waitForLink(page)
}

export async function reveal(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Reveal secret' }).click()
  await page.locator('.files').waitFor()
}

/** Clicks a button that saves a file. Returns the file. */
export async function saveFile(page: Page, button: string, nth = 0): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: button, exact: button === 'Save' })
      .nth(nth)
      .click(),
  ])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

/** SHA-256 by file name, extracted by `unzip`. */
export function unzip(zip: Buffer): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-zip-'))
  try {
    writeFileSync(join(folder, 'all.zip'), zip)
    execFileSync('unzip', ['-q', '-d', join(folder, 'out'), join(folder, 'all.zip')])
    const names = readdirSync(join(folder, 'out'))
    return Object.fromEntries(names.map((name) => [name, sha256(readFileSync(join(folder, 'out', name)))]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Number of parts of files in the data folder of the server. */
export function countBlobs({ server }: BrowserFixture): number {
  const all = readdirSync(join(server.dataDir, 'files'), { recursive: true, withFileTypes: true })
  return all.filter((each) => each.isFile()).length
}
