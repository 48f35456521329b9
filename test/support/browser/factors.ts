/**
 * Second factors of accounts in the browser: an authenticator app, and passkeys in a virtual authenticator of Chromium.
 */
import type { CDPSession, Page } from 'playwright-core'
import { codeOf } from '../factors.js'
import type { BrowserFixture } from './browser-fixture.js'

const STEP_MS = 30_000

export interface AuthenticatorApp {
  recoveryCodes: string[]
  /** A code that was not used yet. The server accepts it once, also if the next step begins meanwhile. */
  nextCode(): string
}

/** Adds an authenticator app to the account of this visitor, whose session is new. */
export async function addAuthenticatorApp(page: Page, fixture: BrowserFixture): Promise<AuthenticatorApp> {
  const { secret, setup } = await post(page, fixture, '/account/factors/authenticator/options', {})
  const body = { setup, code: codeOf(secret, Date.now()) }
  const { recoveryCodes } = await post(page, fixture, '/account/factors/authenticator', body)
  return { recoveryCodes, nextCode: () => codeOf(secret, Date.now() + STEP_MS) }
}

export interface VirtualAuthenticator {
  cdp: CDPSession
  id: string
}

/** An authenticator with user verification, such as the screen lock of a phone. It confirms each request at once. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, id: authenticatorId }
}

/** Whether the user confirms what the authenticator asks. */
export const setVerified = ({ cdp, id }: VirtualAuthenticator, isUserVerified: boolean) =>
  cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified })

/** Adds a passkey to the account of this visitor, whose session is new. `page`: shows the site. */
export const addPasskey = (page: Page): Promise<string[] | null> => page.evaluate<string[] | null>(ADD_PASSKEY)

const ADD_PASSKEY = `(async () => {
  const post = async (path, body) => {
    const response = await fetch('/api/v1/account/factors/passkeys' + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await post('/options', {}))
  const passkey = await navigator.credentials.create({ publicKey })
  return (await post('', { name: 'Virtual key', passkey: passkey.toJSON() })).recoveryCodes
})()`

async function post(page: Page, { url }: BrowserFixture, path: string, data: object) {
  const response = await page.request.post(`${url}/api/v1${path}`, { headers: { origin: url }, data })
  if (!response.ok()) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}
