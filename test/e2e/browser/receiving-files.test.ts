/** Files of a revealed secret: saved one by one or as a zip, verified, and errors. */

import type { Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { upload } from '#shared/client/upload'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { EMPTY_STORAGE, readStorage } from '#test/browser/browser-storage'
import { client, createSecret } from '#test/browser/secrets'
import {
  attachFiles,
  MB,
  makeFile,
  makePicture,
  NO_UPLOAD_LIMITS,
  reveal,
  saveFile,
  sha256,
  type TestFile,
  unzip,
  waitForLink,
} from '#test/browser/test-files'
import { needs } from '#test/needs'

/** More than the 8 MiB of one part. */
const TWO_PARTS = 9 * MB

describe('receiving files', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ env: NO_UPLOAD_LIMITS })
  })
  afterAll(() => fixture.close())
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  /** Stores a secret that has no text. Returns its link. */
  async function storeFiles(files: TestFile[]): Promise<string> {
    const stored = files.map(async ({ name, mimeType, buffer }) => {
      const source = { size: buffer.length, read: async (from: number, to: number) => buffer.subarray(from, to) }
      return { ...(await upload(client(fixture), source)), name, type: mimeType }
    })
    return (await createSecret(fixture, { text: '', files: await Promise.all(stored) })).link
  }

  test('text and files arrive unchanged, one by one and as one zip', async () => {
    const files = [
      makeFile('report ☃.pdf', 300_000),
      makeFile('two parts.bin', TWO_PARTS),
      makeFile('empty', 0),
      makeFile('empty', 0),
    ]
    const sender = await fixture.newVisitor()
    await sender.goto('/')
    await sender.getByLabel('Your secret').fill('with files')
    await attachFiles(sender, files)
    await sender.getByRole('button', { name: 'Create link' }).click()
    const link = await waitForLink(sender)

    const reader = await fixture.newVisitor()
    await reader.goto(link)
    await reader.getByText('4 files are attached.').waitFor()
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await reader.getByRole('heading', { name: '4 files' }).waitFor()
    await expect.poll(() => reader.locator('.secret').textContent()).toBe('with files')
    const names = ['report ☃.pdf', 'two parts.bin', 'empty', 'empty (1)']
    await expect.poll(() => reader.locator('.files .name').allTextContents()).toEqual(names)
    const one = await saveFile(reader, 'Save', 1)
    expect([one.name, sha256(one.bytes)]).toEqual(['two parts.bin', sha256(files[1]?.buffer as Buffer)])
    await reader.getByText('1 file saved.').waitFor()
    const all = await saveFile(reader, 'Save all as zip')
    expect(all.name).toBe('files.zip')
    expect(unzip(all.bytes)).toEqual(
      Object.fromEntries(names.map((name, index) => [name, sha256(files[index]?.buffer as Buffer)])),
    )
    // Parts that have arrived are not requested again.
    const asked = fixture.requests.filter((request) => request.url().endsWith('/download'))
    expect(asked).toHaveLength(5)
    await reader.getByRole('button', { name: 'Copy' }).click()
    for (const page of [sender, reader]) await expect.poll(() => readStorage(page)).toBe(EMPTY_STORAGE)
  })

  test('a download shows its progress in the title, asks before leaving and can be canceled', async () => {
    const link = await storeFiles([makeFile('large.bin', TWO_PARTS)])
    const reader = await fixture.newVisitor()
    await reveal(reader, link)
    await reader.route('**/api/v1/download', async (route) => {
      if (route.request().postDataJSON().part > 0) return
      await route.continue()
    })
    await reader.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => reader.title()).toBe('93% · Mayfly')
    expect(await reader.locator('.files progress').evaluate((each) => each.value)).toBe(8 * 2 ** 20)
    await reader.getByRole('link', { name: 'Share a secret' }).click()
    await reader.getByRole('heading', { name: 'Leave this page?' }).waitFor()
    await reader.getByRole('button', { name: 'Stay' }).click()
    expect(new URL(reader.url()).pathname).toMatch(/^\/secret\//)
    await reader.getByRole('button', { name: 'Cancel' }).click()
    await reader.getByRole('button', { name: 'Save', exact: true }).waitFor()
    await expect.poll(() => reader.title()).toBe('Your secret · Mayfly')
    await reader.unroute('**/api/v1/download')
    expect((await saveFile(reader, 'Save')).bytes).toHaveLength(TWO_PARTS)
    const again = reader.getByRole('button', { name: 'Save again' })
    await expect.poll(() => again.evaluate((button) => button.matches(':focus'))).toBe(true)
    await reader.getByRole('link', { name: 'Share a secret' }).click()
    await reader.getByLabel('Your secret').waitFor()
  })

  test('Save all has one progress for all files, and its button the focus again afterwards', async () => {
    const names = ['é.bin', 'b.bin', 'c.bin', 'd.bin']
    const link = await storeFiles(names.map((name) => makeFile(name, 100_000)))
    const reader = await fixture.newVisitor()
    await reveal(reader, link)
    await saveFile(reader, 'Save')
    let asked = 0
    await reader.route('**/api/v1/download', async (route) => {
      asked++
      if (asked < 3) await route.continue()
    })
    const all = reader.getByRole('button', { name: 'Save all as zip' })
    await all.click()
    // Without the file that is there already.
    await reader.getByText('200 kB of 300 kB').waitFor()
    await expect.poll(() => reader.title()).toBe('66% · Mayfly')
    expect(await reader.locator('progress').count()).toBe(1)
    await reader.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => all.evaluate((button) => button.matches(':focus'))).toBe(true)
  })

  test('a worker that does not respond is replaced, and the download completes', async () => {
    const file = makeFile('large.bin', TWO_PARTS)
    const link = await storeFiles([file])
    const reader = await fixture.newVisitor()
    await reader.clock.install()
    await reveal(reader, link)
    let asked = 0
    const held: Route[] = []
    // The second part never gets a response.
    await reader.route('**/api/v1/download', async (route) => {
      asked++
      if (asked === 2) held.push(route)
      else await route.continue()
    })
    const saving = saveFile(reader, 'Save')
    await expect.poll(() => held.length).toBe(1)
    await expect.poll(() => reader.locator('.files progress').evaluate((each) => each.value)).toBe(8 * 2 ** 20)
    await reader.clock.fastForward('06:30')
    await expect
      .poll(async () => {
        await reader.clock.runFor(1000)
        return asked
      })
      .toBe(3)
    expect(sha256((await saving).bytes)).toBe(sha256(file.buffer))
  }, 180_000)

  test('expired download tickets are reported', async () => {
    const link = await storeFiles([makeFile('late.bin', 1000)])
    const reader = await fixture.newVisitor()
    await reveal(reader, link)
    await reader.route('**/api/v1/download', async (route) => {
      const call = route.request().postDataJSON()
      await route.continue({ postData: JSON.stringify({ ...call, key: `${'A'.repeat(42)}E` }) })
    })
    await reader.getByRole('button', { name: 'Save', exact: true }).click()
    await reader.getByText('The files can no longer be saved.').waitFor()
    await reader.getByText('This file is no longer available.').waitFor()
  })

  test('an altered file is not saved', async () => {
    const link = await storeFiles([makeFile('altered.bin', 1000)])
    const reader = await fixture.newVisitor()
    await reveal(reader, link)
    await reader.route('**/api/v1/download', async (route) => {
      const response = await route.fetch()
      const body = await response.body()
      body.writeUInt8(body.readUInt8(500) ^ 1, 500)
      await route.fulfill({ response, body })
    })
    await reader.getByRole('button', { name: 'Save', exact: true }).click()
    await reader.getByText("it wasn't saved.").waitFor()
    await expect.poll(() => reader.getByText('file saved').count()).toBe(0)
  })

  test('SEC-03: a picture is shown on request, and other files are not', async () => {
    const photo = makePicture('photo.png')
    const drawing = makeFile('drawing.svg', 1000, 'image/svg+xml')
    const link = await storeFiles([photo, drawing, makeFile('noise.png', 1000, 'image/png')])
    const reader = await fixture.newVisitor()
    await reveal(reader, link)
    const before = fixture.requests.length
    const asked = () => fixture.requests.slice(before).filter((request) => request.url().endsWith('/download'))
    await expect.poll(() => reader.getByRole('button', { name: /^Preview / }).count()).toBe(2)
    expect(asked()).toHaveLength(0)
    await reader.getByRole('button', { name: 'Preview photo.png' }).click()
    await reader.getByRole('img', { name: 'photo.png' }).waitFor()
    const width = () => reader.locator('img.picture').evaluate((img: { naturalWidth: number }) => img.naturalWidth)
    await expect.poll(width).toBe(192)
    expect(sha256((await saveFile(reader, 'Save')).bytes)).toBe(sha256(photo.buffer))
    expect(asked()).toHaveLength(1)
    await reader.getByRole('button', { name: 'Preview photo.png', pressed: true }).click()
    await reader.getByRole('img', { name: 'photo.png' }).waitFor({ state: 'detached' })
    await reader.clock.install()
    await reader.getByRole('button', { name: 'Preview photo.png' }).click()
    await reader.getByRole('img', { name: 'photo.png' }).waitFor()
    await reader.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'))`)
    await reader.clock.runFor(5 * 60_000)
    await reader.getByRole('img', { name: 'photo.png' }).waitFor({ state: 'detached' })
    await reader.getByRole('button', { name: 'Preview noise.png' }).click()
    await reader.getByText('There is no preview for this image.').waitFor()
    const session = { [`view-claim:${new URL(reader.url()).pathname.split('/').pop()}`]: expect.any(String) }
    expect(JSON.parse(await readStorage(reader))).toEqual({ ...JSON.parse(EMPTY_STORAGE), session })
  })

  test('a file that the server does not list is reported as missing', async () => {
    const link = await storeFiles([makeFile('here.bin', 10), makeFile('withheld.bin', 10)])
    const reader = await fixture.newVisitor()
    await reader.route('**/api/v1/secret/*', async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      await route.fulfill({ response, json: { ...answer, files: answer.files.slice(0, 1) } })
    })
    await reveal(reader, link)
    await reader.getByText('The server lists different files than the sender attached.').waitFor()
    await reader.getByText("This file isn't on the server anymore.").waitFor()
    await expect.poll(() => reader.locator('.files .name').allTextContents()).toEqual(['here.bin', 'withheld.bin'])
    await expect.poll(() => reader.getByRole('button', { name: 'Save', exact: true }).count()).toBe(1)
  })
})
