/** Passkeys in Chromium: https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn */
import type { Page } from 'playwright-core'

export interface VirtualAuthenticator {
  /** Whether the user passes the check by fingerprint or screen lock. It does at first. */
  setVerified(isUserVerified: boolean): Promise<void>
  /** Passkeys that it has. */
  count(): Promise<number>
  /** Takes it from the browser, with its passkeys. */
  remove(): Promise<void>
}

/** Adds an authenticator to the browser of this visitor, which creates and uses passkeys without asking. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async setVerified(isUserVerified) {
      await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    async count() {
      const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
    async remove() {
      await devTools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}
