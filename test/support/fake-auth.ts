/** Sign-in methods that return the identity that a test chooses, to test how core handles it. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { AuthProvider, Identity } from '#core/contracts/auth-provider'
import { AppError } from '#core/lib/errors'
import { definePlugin, type Plugin } from '#core/plugins/plugin'

/**
 * As `company`: a redirect to a site that is not there, and the header `x-company-identity`, each with the identity as
 * JSON.
 */
export function fakeAuth(differing: Partial<AuthProvider> = {}): Plugin {
  const provider: AuthProvider = {
    id: 'company',
    signUp: true,
    redirect: {
      label: 'Company',
      async start(callbackUrl) {
        const state = randomBytes(16).toString('base64url')
        const url = new URL('https://id.example.org/authorize')
        url.search = `${new URLSearchParams({ state, callback: callbackUrl })}`
        return { url, state, providerState: `state of ${state}` }
      },
      async finish(callback, { state, providerState }) {
        const code = callback.searchParams.get('code')
        if (code === null || providerState !== `state of ${state}`) throw new AppError('auth.refused')
        return JSON.parse(code)
      },
    },
    header: async (headers) => {
      const [said] = headers['x-company-identity'] ?? []
      return said === undefined ? null : JSON.parse(said)
    },
    ...differing,
  }
  const plugin = definePlugin({
    contract: 1,
    name: `fake-${provider.id}`,
    options: z.object({}),
    setup: () => ({ auth: () => [provider] }),
  })
  return plugin as Plugin
}

/** A new identity. */
export function anOutsider(differing: Partial<Identity> = {}): Identity {
  const subject = randomBytes(8).toString('hex')
  return { subject, username: `o${subject}`, email: `${subject}@example.org`, ...differing }
}
