/** Passkeys in pages of another origin, of another host, and after the site has moved to another host. */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#core/runtime'
import { PASSWORD, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { addPasskey, addVirtualAuthenticator } from '#test/browser/factors'
import { needs } from '#test/needs'

const REFUSED = "This passkey wasn't accepted. Try again, or choose another method."

describe('origins of passkeys', needs('chromium'), () => {
  let dataDir: string
  let fixture: BrowserFixture
  let port: number
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mayfly-origins-'))
    port = await freePort()
    const env = { MAYFLY_ALLOWED_HOSTS: '127.0.0.1' }
    fixture = await startBrowserFixture({ port, dataDir, publicUrl: `http://localhost:${port}`, env })
  })
  afterAll(async () => {
    await fixture.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** A visitor who is signed out, and whose browser has the passkey of an account of `localhost`. */
  async function memberWithPasskey() {
    const page = await fixture.newVisitor()
    await addVirtualAuthenticator(page)
    const username = await signUp(page, fixture)
    await page.goto('/account')
    const recoveryCodes = (await addPasskey(page)) ?? []
    await page.context().clearCookies()
    return { page, username, recoveryCodes }
  }
  const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey', exact: true })
  const isSignedIn = async (page: Page) =>
    (await page.context().cookies()).some(({ name, value }) => name === 'session' && value !== '')

  test('SEC-54: the server refuses a passkey that was used on another origin of the same host', async () => {
    const proxy = await startProxy(port)
    const { page, username } = await memberWithPasskey()
    // The virtual authenticator chooses from the list at the username by itself.
    await page.goto(`http://localhost:${(proxy.address() as AddressInfo).port}/signin`)
    await page.getByText(REFUSED).waitFor()
    expect(await isSignedIn(page)).toBe(false)
    proxy.closeAllConnections()
    proxy.close()
    await page.goto('/signin')
    await page.getByRole('heading', { name: `Hi, ${username}` }).waitFor()
  })

  test('SEC-54: the browser gives no passkey to a page of another host', async () => {
    const { page } = await memberWithPasskey()
    await page.goto(`http://127.0.0.1:${port}/signin`)
    await passkeyButton(page).click()
    await page.getByText(REFUSED).waitFor()
    expect(await isSignedIn(page)).toBe(false)
  })

  test('after a move to another host, passkeys do not work, and a recovery code signs in', async () => {
    const { page, username, recoveryCodes } = await memberWithPasskey()
    const newPort = await freePort()
    const url = `http://moved.localhost:${newPort}`
    const moved = await startBrowserFixture({ port: newPort, dataDir, publicUrl: url })
    await page.goto(`${url}/signin`)
    await passkeyButton(page).click()
    await passkeyButton(page).and(page.locator('[aria-disabled=false]')).waitFor()
    expect(await isSignedIn(page)).toBe(false)
    await page.getByRole('textbox', { name: 'Username', exact: true }).fill(username)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    await page.getByRole('button', { name: 'Use a recovery code', exact: true }).click()
    await page.locator('[name=recovery-code]').fill(recoveryCodes[0] ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Hi, ${username}` }).waitFor()
    expect(page.url()).toBe(`${url}/account`)
    await page.goto('about:blank')
    await moved.close()
  })
})

/** Forwards each request to the server as if it came to its own address, as a page that imitates the site would. */
async function startProxy(target: number): Promise<Server> {
  const server = createServer((incoming, response) => {
    const headers = { ...incoming.headers, host: `localhost:${target}` }
    const forwarded = request({ port: target, method: incoming.method, path: incoming.url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return server
}
