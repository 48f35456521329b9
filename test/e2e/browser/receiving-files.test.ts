/** Files of an opened secret: saved one by one or as one, whole and verified, or told why not. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inChromium, NOTHING_STORED, type Stage, setStage, stored } from '#test/browser/browser-fixture'
import { startProxy } from '#test/browser/recording-proxy'
import {
  aFile,
  aPicture,
  attach,
  createdLink,
  hashOf,
  MB,
  ROOM,
  reveal,
  saved,
  share,
  unzipped,
} from '#test/browser/test-files'
import { startServer } from '#test/start-server'

inChromium('receiving files', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage({ env: ROOM })
  })
  afterAll(() => stage.close())
  afterEach(() => expect(stage.takeProblems()).toEqual([]))

  test('text and several files arrive as they were, alone and as one zip', async () => {
    const files = [aFile('report ☃.pdf', 300_000), aFile('two parts.bin', 9 * MB), aFile('empty', 0), aFile('empty', 0)]
    const sender = await stage.visit()
    await sender.goto('/')
    await sender.getByLabel('Your secret').fill('with files')
    await attach(sender, files)
    await sender.getByRole('button', { name: 'Create link' }).click()
    const link = await createdLink(sender)

    const reader = await stage.visit()
    await reader.goto(link)
    await reader.getByText('Files', { exact: true }).waitFor()
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await reader.getByRole('heading', { name: '4 files' }).waitFor()
    await expect.poll(() => reader.locator('.secret').textContent()).toBe('with files')
    const names = ['report ☃.pdf', 'two parts.bin', 'empty', 'empty (1)']
    await expect.poll(() => reader.locator('.files .name').allTextContents()).toEqual(names)
    const one = await saved(reader, 'Save', 1)
    expect([one.name, hashOf(one.bytes)]).toEqual(['two parts.bin', hashOf(files[1]?.buffer as Buffer)])
    await reader.getByText('1 file saved.').waitFor()
    const all = await saved(reader, 'Save all as one zip')
    expect(all.name).toBe('files.zip')
    expect(unzipped(all.bytes)).toEqual(
      Object.fromEntries(names.map((name, index) => [name, hashOf(files[index]?.buffer as Buffer)])),
    )
    // What has arrived is not asked for again.
    const asked = stage.requests.filter((request) => request.url().endsWith('/download'))
    expect(asked).toHaveLength(5)
    for (const page of [sender, reader]) expect(await stored(page)).toBe(NOTHING_STORED)
  })

  test('while a file is on its way the window says how far, leaving asks, and cancelling stops it', async () => {
    const link = await share(await stage.visit(), [aFile('large.bin', 20 * MB)])
    const reader = await stage.visit()
    await reveal(reader, link)
    await reader.route('**/api/v1/download', async (route) => {
      if (route.request().postDataJSON().part > 0) return
      await route.continue()
    })
    await reader.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => reader.title()).toMatch(/^4[12]% · Mayfly$/)
    expect(await reader.locator('.files progress').evaluate((each) => each.value)).toBe(8 * 2 ** 20)
    await reader.getByRole('link', { name: 'Send a secret back' }).click()
    await reader.getByRole('heading', { name: 'Leave this page?' }).waitFor()
    await reader.getByRole('button', { name: 'Stay' }).click()
    expect(new URL(reader.url()).pathname).toMatch(/^\/secret\//)
    await reader.getByRole('button', { name: 'Cancel' }).click()
    await reader.getByRole('button', { name: 'Save', exact: true }).waitFor()
    await expect.poll(() => reader.title()).toBe('Your secret · Mayfly')
    await reader.unroute('**/api/v1/download')
    expect((await saved(reader, 'Save')).bytes).toHaveLength(20 * MB)
    const again = reader.getByRole('button', { name: 'Save again' })
    await expect.poll(() => again.evaluate((button) => button.matches(':focus'))).toBe(true)
    await reader.getByRole('link', { name: 'Send a secret back' }).click()
    await reader.getByLabel('Your secret').waitFor()
  })

  test('a line that breaks at 10, 50 and 90 % goes on there', async () => {
    const file = aFile('large.bin', 80 * MB)
    const link = await share(await stage.visit(), [file])
    const reader = await stage.visit()
    await reveal(reader, link)
    const cuts = [1, 5, 9]
    const asked: number[] = []
    await reader.route('**/api/v1/download', async (route) => {
      const { part } = route.request().postDataJSON()
      asked.push(part)
      if (!cuts.includes(part)) return route.continue()
      cuts.splice(cuts.indexOf(part), 1)
      await route.abort('connectionreset')
    })
    expect(hashOf((await saved(reader, 'Save')).bytes)).toBe(hashOf(file.buffer))
    expect(asked).toEqual([0, 1, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 9])
  }, 180_000)

  test('a worker that falls silent is given up, and another one gets its part', async () => {
    const file = aFile('large.bin', 20 * MB)
    const link = await share(await stage.visit(), [file])
    const reader = await stage.visit()
    await reader.clock.install()
    await reveal(reader, link)
    let asked = 0
    const held: Route[] = []
    // The third part's never hears from the server, and so long has no limit of its own.
    await reader.route('**/api/v1/download', async (route) => {
      asked++
      if (asked === 3) held.push(route)
      else await route.continue()
    })
    const saving = saved(reader, 'Save')
    await expect.poll(() => held.length).toBe(1)
    await expect.poll(() => reader.locator('.files progress').evaluate((each) => each.value)).toBe(16 * 2 ** 20)
    await reader.clock.fastForward('06:30')
    await expect
      .poll(async () => {
        await reader.clock.runFor(1000)
        return asked
      })
      .toBe(4)
    expect(hashOf((await saving).bytes)).toBe(hashOf(file.buffer))
  }, 180_000)

  test('when the tickets have ended it says so, and what to do', async () => {
    const link = await share(await stage.visit(), [aFile('late.bin', 1000)])
    const reader = await stage.visit()
    await reveal(reader, link)
    await reader.route('**/api/v1/download', async (route) => {
      const call = route.request().postDataJSON()
      await route.continue({ postData: JSON.stringify({ ...call, key: `${'A'.repeat(42)}E` }) })
    })
    await reader.getByRole('button', { name: 'Save', exact: true }).click()
    await reader.getByText('The time for saving the files is over.').waitFor()
    await reader.getByText('This file is no longer available.').waitFor()
  })

  test('what is not the file is not saved', async () => {
    const link = await share(await stage.visit(), [aFile('altered.bin', 1000)])
    const reader = await stage.visit()
    await reveal(reader, link)
    await reader.route('**/api/v1/download', async (route) => {
      const response = await route.fetch()
      const body = await response.body()
      body.writeUInt8(body.readUInt8(500) ^ 1, 500)
      await route.fulfill({ response, body })
    })
    await reader.getByRole('button', { name: 'Save', exact: true }).click()
    await reader.getByText('It was not saved.').waitFor()
    await expect.poll(() => reader.getByText('file saved').count()).toBe(0)
  })

  test('a picture is shown when it is asked for, and nothing that is more than one', async () => {
    const photo = aPicture('photo.png')
    const drawing = aFile('drawing.svg', 1000, 'image/svg+xml')
    const link = await share(await stage.visit(), [photo, drawing, aFile('noise.png', 1000, 'image/png')])
    const reader = await stage.visit()
    await reveal(reader, link)
    const before = stage.requests.length
    const asked = () => stage.requests.slice(before).filter((request) => request.url().endsWith('/download'))
    await expect.poll(() => reader.getByRole('button', { name: /^Show / }).count()).toBe(2)
    expect(asked()).toHaveLength(0)
    await reader.getByRole('button', { name: 'Show photo.png here' }).click()
    await reader.getByRole('img', { name: 'photo.png' }).waitFor()
    const width = () => reader.locator('img.picture').evaluate((img: { naturalWidth: number }) => img.naturalWidth)
    await expect.poll(width).toBe(192)
    expect(hashOf((await saved(reader, 'Save')).bytes)).toBe(hashOf(photo.buffer))
    expect(asked()).toHaveLength(1)
    await reader.getByRole('button', { name: 'Show photo.png here', pressed: true }).click()
    await reader.getByRole('img', { name: 'photo.png' }).waitFor({ state: 'detached' })
    await reader.clock.install()
    await reader.getByRole('button', { name: 'Show photo.png here' }).click()
    await reader.getByRole('img', { name: 'photo.png' }).waitFor()
    await reader.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'))`)
    await reader.clock.runFor(5 * 60_000)
    await reader.getByRole('img', { name: 'photo.png' }).waitFor({ state: 'detached' })
    await reader.getByRole('button', { name: 'Show noise.png here' }).click()
    await reader.getByText('This is not a picture that can be shown.').waitFor()
    expect(await stored(reader)).toBe(NOTHING_STORED)
  })

  test('a file that the server keeps quiet about is missed in red', async () => {
    const link = await share(await stage.visit(), [aFile('here.bin', 10), aFile('withheld.bin', 10)])
    const reader = await stage.visit()
    await reader.route('**/api/v1/secret/*', async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      await route.fulfill({ response, json: { ...answer, files: answer.files.slice(0, 1) } })
    })
    await reveal(reader, link)
    await reader.getByText('The server tells of other files than the sender attached.').waitFor()
    await reader.getByText('The server does not have this file.').waitFor()
    await expect.poll(() => reader.locator('.files .name').allTextContents()).toEqual(['here.bin', 'withheld.bin'])
    await expect.poll(() => reader.getByRole('button', { name: 'Save', exact: true }).count()).toBe(1)
  })
})

inChromium('a server that restarts while files are on their way', () => {
  test('is waited for, in both directions', async () => {
    const proxy = await startProxy()
    const dataDir = mkdtempSync(join(tmpdir(), 'mayfly-restart-'))

    const env = { ...ROOM, MAYFLY_PUBLIC_URL: proxy.url }
    const stage = await setStage({ env, publicUrl: proxy.url, dataDir })
    proxy.port = stage.server.port
    let server = stage.server
    const restart = async () => {
      await server.kill()
      server = await startServer({ env, dataDir })
      proxy.port = server.port
    }
    try {
      const file = aFile('large.bin', 60 * MB)
      const sender = await stage.visit()
      await sender.goto('/')
      await attach(sender, [file])
      await sender.getByRole('button', { name: 'Create link' }).click()
      await sender.waitForResponse((response) => response.request().method() === 'PUT')
      await restart()
      const link = await createdLink(sender)
      const reader = await stage.visit()
      await reveal(reader, link)
      const saving = saved(reader, 'Save')
      await reader.waitForResponse((response) => response.url().endsWith('/download'))
      await restart()
      expect(hashOf((await saving).bytes)).toBe(hashOf(file.buffer))
    } finally {
      await stage.close()
      await server.kill()
      await proxy.close()
      rmSync(dataDir, { recursive: true })
    }
  }, 180_000)
})
