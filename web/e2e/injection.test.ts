/** Whatever someone writes is shown as text, wherever it is shown. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { safeFileName } from '#shared/file-name'
import { upload } from '#shared/upload'
import { ROOM } from './files.js'
import { client, makePublic, makeSecret } from './secrets.js'
import { inChromium, type Stage, setStage } from './stage.js'

const CANARY = 'https://canary.example/x'
const PAYLOADS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  `<img src=${CANARY}>`,
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  `<iframe src=${CANARY}>`,
  '<object data="javascript:alert(1)">',
  '<embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<body onload=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1)>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<style>@import "https://canary.example/x"</style>',
  '<link rel=stylesheet href=https://canary.example/x>',
  '<meta http-equiv=refresh content="0;url=https://canary.example/x">',
  '<base href=https://canary.example/>',
  '<form action=https://canary.example/x><button>',
  '</script><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '</pre><script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "'><script>alert(1)</script>",
  '" onmouseover="alert(1)',
  '`-alert(1)-`',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'vbscript:msgbox(1)',
  'blob:https://canary.example/x',
  `[x](javascript:alert(1))`,
  `![x](${CANARY})`,
  CANARY,
  '//canary.example/x',
  '{{7*7}}',
  '{{constructor.constructor("alert(1)")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the payload
  '${alert(1)}',
  '<%= 7*7 %>',
  '#{7*7}',
  '$t(common:product)',
  '{{count, number}}',
  '<1>x</1>',
  '__proto__',
  'constructor',
  'toString',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  'a\u202egpj.exe',
  '\u2067\u202ereversed\u2069',
  'e\u0301\u0301\u0301 ☃ \ufeff\u200b',
]
/** What a name is shown without: it would reorder its surroundings. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

inChromium('injection', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage({ env: { ...ROOM, MAYFLY_MAX_FILES: '100' } })
  })
  afterAll(() => stage.close())
  // Dialogs, policy violations and requests to the canary's host are all problems.
  afterEach(() => expect(stage.takeProblems()).toEqual([]))

  test('titles in the public list', async () => {
    const titles = PAYLOADS.filter((payload) => !/\p{Cc}/u.test(payload)).slice(0, 50)
    for (const title of titles) await makePublic(stage, title)
    const page = await stage.visit()
    await page.goto('/public')
    await page
      .locator('tbody tr')
      .nth(titles.length - 1)
      .waitFor()
    const shown = await page.locator('tbody th').allTextContents()
    expect(shown.sort()).toEqual(titles.map((title) => title.replace(CONTROLS, '')).sort())
    const links = await page.locator('tbody a').evaluateAll((all: { href: string }[]) => all.map(({ href }) => href))
    expect(links.every((href) => href.startsWith(`${stage.url}/secret/`))).toBe(true)
  })

  test('text and title of sealed secrets', async () => {
    const perPage = 4
    const page = await stage.visit()
    for (let at = 0; at < PAYLOADS.length; at += perPage) {
      const payloads = PAYLOADS.slice(at, at + perPage)
      const title = payloads.join(' ')
      const text = payloads.join('\n')
      const { link } = await makeSecret(stage, { text, title, maxViews: 2 })
      await page.goto(link)
      await page.getByRole('button', { name: 'Reveal secret' }).click()
      await page.locator('.secret').waitFor()
      expect(await page.locator('.secret').textContent()).toBe(text)
      expect(await page.locator('.secret *').count()).toBe(0)
      expect(await page.locator('h1').textContent()).toBe(title.replace(CONTROLS, ''))
      expect(await page.locator('h1 bdi *').count()).toBe(0)
      expect(await page.title()).toBe('Your secret · Mayfly')
    }
  }, 60_000)

  test('names and types of files', async () => {
    const source = { size: 0, read: async () => new Uint8Array() }
    const files = []
    for (const name of PAYLOADS) files.push({ ...(await upload(client(stage), source)), name, type: name })
    const page = await stage.visit()
    await page.goto((await makeSecret(stage, { files })).link)
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await page.locator('.files').waitFor()
    const shown = await page.locator('.files .name').allTextContents()
    expect(shown.map((name) => name.replace(/ \(\d\)(\.\w+)?$/, '$1'))).toEqual(
      PAYLOADS.map((name) => safeFileName(name)),
    )
    expect(await page.locator('.files .name *').count()).toBe(0)
    expect(shown.join()).not.toMatch(CONTROLS)
  })

  test('what the server says, and names in the address', async () => {
    const page = await stage.visit()
    await page.route('**/api/v1/secret', (route) => {
      const message = PAYLOADS.join('\n')
      return route.fulfill({ status: 400, json: { statusCode: 400, error: 'x', code: 'of.tomorrow', message } })
    })
    await page.goto('/')
    await page.getByLabel('Your secret').fill(PAYLOADS.join('\n'))
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('alert').getByText('<script>alert(1)</script>').first().waitFor()
    for (const payload of PAYLOADS.slice(0, 12)) {
      await page.goto(`/public/${encodeURIComponent(payload)}`)
      await page.locator('h1').waitFor()
      await page.goto(`/secret/${encodeURIComponent(payload)}#${encodeURIComponent(payload)}`)
      await page.locator('h1').waitFor()
    }
    // An answer of 400 to a name that cannot be one is shown on the error screen, which React reports.
    const others = stage.takeProblems().filter((problem) => !/ApiError|status of 404/.test(problem))
    expect(others).toEqual([])
  }, 60_000)
})
