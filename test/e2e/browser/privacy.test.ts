/** Data that leaves the browser or is stored in it, and link previews, which use no view. */

import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parseFragment } from '#shared/link'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { EMPTY_STORAGE, readStorage } from '#test/browser/browser-storage'
import { type RecordingProxy, startRecordingProxy } from '#test/browser/recording-proxy'
import { createSecret, viewsLeft } from '#test/browser/secrets'
import { attachFiles, saveFile, sha256 } from '#test/browser/test-files'
import { findCanaries } from '#test/canaries'
import { needs } from '#test/needs'

/** User agents of messengers, mail scanners and search engines. */
const PREVIEWS = [
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy 1.0',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Facebot',
  'WhatsApp/2.24.20.89 A',
  'TelegramBot (like TwitterBot)',
  'Twitterbot/1.0',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient)',
  'Discordbot/2.0 (+https://discordapp.com)',
  'SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 SkypeUriPreview Preview/0.5 Teams',
  'Mozilla/5.0 (compatible; MSAL 1.0; SafeLinks)',
  'Microsoft Office Excel 2014 Microsoft Outlook 16.0',
  'Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Applebot/0.1',
  'Pinterestbot/1.0',
  'redditbot/1.0',
  'Viber/20.0',
  'Signal-Android/7.1',
  'Mattermost-Bot/1.1',
  'Iframely/1.3.1 (+https://iframely.com/docs/about)',
  'Embedly/0.2',
  'curl/8.5.0',
]

describe('privacy', needs('chromium'), () => {
  let fixture: BrowserFixture
  let proxy: RecordingProxy
  let elsewhere: OtherSite
  beforeAll(async () => {
    elsewhere = await startOtherSite()
    proxy = await startRecordingProxy()
    fixture = await startBrowserFixture({ publicUrl: proxy.url, env: { MAYFLY_WEB_SOURCE_URL: elsewhere.url } })
    proxy.port = fixture.server.port
  })
  afterAll(async () => {
    await fixture.close()
    await proxy.close()
    await elsewhere.close()
  })
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  test('SEC-30: key, password, text, title and files never leave the browser unencrypted and are not stored in it', async () => {
    const planted = {
      text: 'planted-text-7c1f é',
      title: 'planted-title-0b9e',
      password: 'planted-password-44d2',
      fileName: 'planted-name-e3a7',
      type: 'text/x-planted-type-51c8',
      content: 'planted-content-9d04',
    }
    const sender = await fixture.newVisitor()
    await sender.goto('/')
    await sender.getByLabel('Your secret').fill(planted.text)
    await sender.getByRole('textbox', { name: 'Password' }).fill(planted.password)
    await attachFiles(sender, [
      { name: `${planted.fileName}.html`, mimeType: planted.type, buffer: Buffer.from(planted.content) },
    ])
    await sender.getByRole('button', { name: 'More views' }).click()
    await sender.getByText('More options').click()
    await sender.getByLabel('Title').fill(planted.title)
    await sender.getByRole('button', { name: 'Create link' }).click()
    await sender.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    const link = (await sender.locator('.link-box').first().textContent()) as string

    const reader = await fixture.newVisitor()
    await reader.goto(link)
    await reader.getByRole('textbox', { name: 'Password' }).fill(planted.password)
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await reader.getByRole('heading', { name: planted.title }).waitFor()
    // The claim is stored now.
    expect(await readStorage(reader)).toContain('view-claim:')
    expect(
      findCanaries(Buffer.from(await readStorage(reader)), { ...planted, key: new URL(link).hash.slice(1) }),
    ).toEqual([])
    expect((await saveFile(reader, 'Save')).bytes.toString()).toBe(planted.content)
    const fragment = new URL(link).hash.slice(1)
    const canaries = {
      ...planted,
      digest: sha256(Buffer.from(planted.content)),
      fragment,
      key: parseFragment(fragment),
    }
    // While the files are still there.
    for (const name of await filesIn(fixture.server.dataDir)) {
      expect(findCanaries(await readFile(join(fixture.server.dataDir, name)), canaries), name).toEqual([])
    }
    await reader.getByRole('button', { name: 'Burn this secret' }).click()
    await reader.getByRole('button', { name: 'Burn', exact: true }).click()
    await reader.getByText('Secret burned.').waitFor()

    expect(findCanaries(proxy.sent(), canaries)).toEqual([])
    expect(findCanaries(Buffer.from(fixture.server.log()), canaries)).toEqual([])
    for (const page of [sender, reader]) {
      expect(findCanaries(Buffer.from(await readStorage(page)), canaries)).toEqual([])
    }
    // Checks the search itself: it finds a text that must be there.
    expect(proxy.sent().includes('POST /api/v1/secret')).toBe(true)
    expect(findCanaries(proxy.sent(), { host: new URL(proxy.url).host })).not.toEqual([])
  })

  test('SEC-31: requests have no referrer', async () => {
    const secret = await createSecret(fixture)
    const reader = await fixture.newVisitor()
    await reader.goto(secret.link)
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await reader.getByRole('link', { name: 'Share a secret' }).click()
    await reader.getByRole('button', { name: 'Leave' }).click()
    await reader.getByLabel('Your secret').waitFor()
    expect(proxy.sent().toString('latin1')).not.toMatch(/^referer:/im)
  })

  test('SEC-31: a link to another site sends no referrer, and Back leads to a URL without the key after the last view', async () => {
    const secret = await createSecret(fixture, { text: 'planted-text-51aa', maxViews: 2 })
    const reader = await fixture.newVisitor()
    const leave = async () => {
      await reader.getByRole('link', { name: 'Source code' }).click()
      await reader.getByText('elsewhere').waitFor()
      expect(await reader.evaluate('document.referrer + window.name + (window.opener ?? "")')).toBe('')
    }
    await reader.goto(secret.link)
    await reader.getByRole('button', { name: 'Reveal secret' }).waitFor()
    await leave()
    await reader.goBack()
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await reader.locator('.secret').waitFor()
    const acked = reader.waitForResponse('**/ack')
    await reader.getByRole('button', { name: 'Copy' }).click()
    await acked
    await leave()
    await reader.goBack()
    // With a view left, the link still works.
    await reader.getByText("You can open it once. After that, it's deleted.").waitFor()
    expect(await reader.content()).not.toContain('planted-text')
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await reader.getByText('This was the last view.').waitFor()
    expect(new URL(reader.url()).hash).toBe('')
    const deleted = reader.waitForResponse('**/ack')
    await reader.getByRole('button', { name: 'Delete from the server now' }).click()
    await deleted
    await leave()
    await reader.goBack()
    await reader.getByRole('heading', { name: 'This secret is no longer available' }).waitFor()
    expect(reader.url()).toBe(secret.link.replace(/#.*/, ''))
    expect(await reader.content()).not.toContain('planted-text')
    expect(elsewhere.visits).toHaveLength(3)
    for (const headers of elsewhere.visits) expect(Object.keys(headers)).not.toContain('referer')
    // The link opens the secret.
    expect(new Set(fixture.takeErrors())).toEqual(new Set([`request to ${elsewhere.url}`]))
  })

  test('REL-02: a connection that breaks after the server counted the view uses no second view', async () => {
    const secret = await createSecret(fixture)
    const reader = await fixture.newVisitor()
    await reader.goto(secret.link)
    await reader.getByRole('button', { name: 'Reveal secret' }).waitFor()
    proxy.dropResponseTo(`POST /api/v1/secret/${secret.id} `)
    await reader.getByRole('button', { name: 'Reveal secret' }).click()
    await reader.getByText('This was the last view.').waitFor()
    const views = proxy.sent().toString('latin1').split(`POST /api/v1/secret/${secret.id} `).length - 1
    expect(views).toBe(2)
  })

  test.each(['GET', 'HEAD'])('SEC-20: %s by link previews uses no view', async (method) => {
    const secret = await createSecret(fixture)
    const address = secret.link.replace(/#.*/, '')
    for (const userAgent of PREVIEWS) {
      const { status } = await fetch(address, { method, headers: { 'user-agent': userAgent } })
      expect(status).toBe(200)
    }
    await expect.poll(() => viewsLeft(fixture, secret)).toBe(1)
  })

  test('V14.3.1: only the choice of a theme is stored', async () => {
    const page = await fixture.newVisitor()
    await page.goto('/')
    await page.getByRole('button', { name: 'Theme: System' }).click()
    await page.getByRole('button', { name: 'Theme: Light' }).click()
    await page.getByRole('button', { name: 'Theme: Dark' }).waitFor()
    expect(JSON.parse(await readStorage(page))).toMatchObject({
      local: { theme: 'dark' },
      session: {},
      databases: [],
      caches: [],
    })
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.getByRole('button', { name: 'Theme: Dark' }).click()
    expect(await readStorage(page)).toBe(EMPTY_STORAGE)
  })

  test('SEC-31, V14.3.1: a page that is left clears its secrets before the browser caches it', async () => {
    const page = await fixture.newVisitor()
    const text = page.getByLabel('Your secret')
    const leave = () => page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    await page.goto('/')
    await text.fill('left behind')
    await expect
      .poll(async () => {
        // The page may not have started yet.
        await leave()
        return text.inputValue()
      })
      .toBe('')
    await text.fill('sent')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    await leave()
    await expect.poll(() => text.inputValue()).toBe('')
    await expect.poll(() => page.locator('.link-box').count()).toBe(0)
  })
})

interface OtherSite {
  url: string
  /** The headers of every page that was asked for. */
  visits: IncomingHttpHeaders[]
  close(): Promise<void>
}

async function startOtherSite(): Promise<OtherSite> {
  const visits: IncomingHttpHeaders[] = []
  const server = createServer(({ url, headers }, response) => {
    if (url === '/') visits.push(headers)
    response.setHeader('content-type', 'text/html').end('<title>x</title><link rel=icon href=data:,>elsewhere')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Everything that the server has written, in folders too. */
async function filesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  return all.filter((each) => each.isFile()).map((each) => relative(folder, join(each.parentPath, each.name)))
}
