/**
 * Every public path of the app under a base path: status, title and heading. At the root of a host: `routes-by-role`.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#core/runtime'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { needs } from '#test/needs'

const SECRET = 'AAAAAAAAAAAAAAAAAAAAAA'
const GONE = `${SECRET}~${'A'.repeat(43)}`
const ROUTES: [path: string, status: number, title: string, heading: string][] = [
  ['/', 200, 'Share a secret · Mayfly', 'Share a secret'],
  [`/secret/${SECRET}`, 200, 'Someone sent you a secret · Mayfly', 'Someone sent you a secret'],
  [`/secret/KEY/${SECRET}`, 200, 'This link looks cut off · Mayfly', 'This link looks cut off'],
  ['/public', 200, 'Public secrets · Mayfly', 'Public secrets'],
  ['/public/alice', 200, 'Public secrets by alice · Mayfly', 'Public secrets by alice'],
  ['/signin', 200, 'Sign in · Mayfly', 'Sign in'],
  ['/signup', 200, 'Create an account · Mayfly', 'Create an account'],
  ['/signout', 200, "You're signed out · Mayfly", "You're signed out"],
  ['/account/users', 200, 'Sign in · Mayfly', 'Sign in'],
  ['/privacy', 200, 'Privacy · Mayfly', 'Privacy'],
  ['/terms', 200, 'Terms · Mayfly', 'Terms'],
  ['/api-docs', 200, 'API · Mayfly', 'API Work in Progress'],
  ['/stats', 200, 'Statistics · Mayfly', 'Statistics'],
  ['/share', 200, 'Nothing arrived here · Mayfly', 'Nothing arrived here'],
  ['/setup', 200, 'Set up this site · Mayfly', 'Set up this site'],
  ['/lite', 200, 'Mayfly lite', 'Share a secret'],
  [`/lite/${GONE}`, 200, 'Mayfly lite', 'This secret is no longer available'],
  ['/nowhere', 404, '404 Not Found · Mayfly', "This page doesn't exist"],
  ['/privacy/more', 404, '404 Not Found · Mayfly', "This page doesn't exist"],
  ['/lite/a/b', 404, '404 Not Found · Mayfly', "This page doesn't exist"],
]

/** Base paths. Paths of the app take turns, because the page sees no difference between them. */
const BASES = {
  'below a path, which the proxy passes on': '/secrets',
  'below a path, which the proxy takes away': '/stripped',
}

for (const [turn, [title, base]] of Object.entries(BASES).entries())
  describe(title, needs('nginx'), () => {
    describe('routes', needs('chromium'), () => {
      let fixture: BrowserFixture
      let page: Page
      let nginx: Nginx
      beforeAll(async () => {
        nginx = await startNginx()
        fixture = await startBrowserFixture({ publicUrl: `http://localhost:${nginx.port}${base}` })
        await nginx.pointTo(base, fixture.server.port)
        page = await fixture.newVisitor()
      })
      afterAll(async () => {
        await fixture.close()
        await nginx.stop()
      })
      // The browser itself logs a 404 response to a page.
      afterEach(() => expect(fixture.takeErrors().filter((each) => !/status of 404/.test(each))).toEqual([]))

      test.each(ROUTES.filter((_, index) => index % 2 === turn))('%s', async (path, status, title, heading) => {
        const response = await page.goto(fixture.url + path)
        expect(response?.status()).toBe(status)
        await expect
          .poll(() =>
            page
              .locator('h1')
              .allTextContents()
              .then((all) => all.map((each) => each.trim())),
          )
          .toEqual([heading])
        await expect.poll(() => page.title()).toBe(title)
        const own = await page.locator('a').evaluateAll((all: { href: string }[]) => all.map(({ href }) => href))
        expect(own.filter((href) => !href.startsWith(fixture.url))).toEqual([])
      })

      test('a secret is shared, and the links of the page work', async () => {
        const sender = await fixture.newVisitor()
        await sender.goto(`${fixture.url}/`)
        await sender.getByLabel('Your secret').fill('under way é')
        await sender.getByRole('button', { name: 'Create link' }).click()
        await sender.getByRole('heading', { name: 'Your link is ready' }).waitFor()
        const link = (await sender.locator('.link-box').first().textContent()) as string
        expect(link.startsWith(`${fixture.url}/secret/`)).toBe(true)
        const reader = await fixture.newVisitor()
        // In the form that older links have.
        const [, id = '', key = ''] = /\/secret\/([^#]+)#(.+)$/.exec(link) ?? []
        await reader.goto(`${fixture.url}/secret/${key}/${id}`)
        await reader.getByRole('button', { name: 'Reveal secret' }).click()
        await reader.locator('.secret').waitFor()
        await expect.poll(() => reader.locator('.secret').textContent()).toBe('under way é')
        // The page would ask before its only copy is left.
        await reader.getByRole('button', { name: 'Copy', exact: true }).click()
        await reader.getByText('Copy it before you leave this page.').waitFor()
        await reader.getByRole('link', { name: 'Terms' }).click()
        await reader.getByRole('heading', { name: 'Terms', exact: true }).waitFor()
        expect(reader.url()).toBe(`${fixture.url}/terms`)
        await reader.getByRole('link', { name: 'Lite version' }).click()
        await reader.getByLabel('Your secret').fill('lite é')
        await reader.getByRole('button', { name: 'Create link' }).click()
        await reader.locator('#created').waitFor()
        await expect.poll(() => reader.locator('#link').textContent()).toContain(`${fixture.url}/secret/`)
      })
    })
  })

interface Nginx {
  port: number
  /** Passes `/secrets/` on as it is, and `/stripped/` without its beginning. */
  pointTo(base: string, port: number): Promise<void>
  stop(): Promise<void>
}

async function startNginx(): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  let child: ChildProcess | null = null
  return {
    port,
    async pointTo(base, target) {
      const to = `http://127.0.0.1:${target}${base === '/stripped' ? '/' : ''}`
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      await writeFile(
        file,
        `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
        http { access_log off; ${temporary.join(' ')}
          server { listen 127.0.0.1:${port}; client_max_body_size 20m;
            location ${base}/ { proxy_pass ${to}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr; } } }`,
      )
      execFileSync('/usr/sbin/nginx', ['-t', '-q', '-p', folder, '-c', file])
      child = spawn('/usr/sbin/nginx', ['-p', folder, '-c', file], { stdio: 'ignore' })
      while (!(await responses(`http://127.0.0.1:${port}${base}/healthz`)));
    },
    async stop() {
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child?.kill('SIGQUIT')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

const responses = (address: string): Promise<boolean> =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  )
