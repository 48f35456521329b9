/** One provider: the authorization code flow with PKCE, of which openid-client makes and checks every step. */
import * as client from 'openid-client'
import { AppError, type AuthProvider, type Log } from '#core'
import { type Claims, identityOf } from './identity.js'
import { isLoopback, type ProviderOptions } from './options.js'

/** How far the clocks may be apart, in seconds. */
const TOLERANCE_S = 5
const ANSWER_WITHIN_S = 5

export function oidcProvider(options: ProviderOptions, log: Log): AuthProvider {
  const { id, label, signUp, linkByEmail, scopes, prompt } = options
  let found: Promise<client.Configuration> | null = null

  /** Asked for when it is needed, and again after it failed: the instance starts without its provider. */
  function configuration(): Promise<client.Configuration> {
    if (found) return found
    const asked = discover(options)
    found = asked
    asked.catch(() => {
      found = null
    })
    return asked
  }

  async function start(callbackUrl: string) {
    const config = await telling(configuration)
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
    const url = client.buildAuthorizationUrl(config, {
      ...{ redirect_uri: callbackUrl, scope: scopes, state, nonce },
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(prompt === '' ? {} : { prompt }),
    })
    return { url, state, kept: JSON.stringify({ nonce, verifier }) }
  }

  async function finish(callback: URL, { state, kept }: { state: string; kept: string }) {
    const { nonce, verifier } = JSON.parse(kept)
    const claims = await telling(async () => {
      const config = await configuration()
      const tokens = await client.authorizationCodeGrant(config, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const said = tokens.claims() as Claims
      const isWhole = said.email !== undefined && said.email_verified !== undefined
      if (isWhole || !config.serverMetadata().userinfo_endpoint) return said
      // Many tell only there what the ID token has no room for.
      return { ...(await client.fetchUserInfo(config, tokens.access_token, said.sub)), ...said }
    })
    const identity = identityOf(claims, options)
    if (typeof identity === 'string') throw refused(identity)
    return identity
  }

  /** Throws AppError `auth.unavailable` or `auth.refused`. What the provider says goes nowhere but for its kind. */
  async function telling<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      if (!isOutage(error)) throw refused(codeOf(error))
      log.warn('a sign-in provider does not answer', { provider: id, reason: codeOf(error) })
      throw new AppError('auth.unavailable')
    }
  }

  function refused(reason: string): AppError {
    log.warn('a sign-in was refused', { provider: id, reason })
    return new AppError('auth.refused')
  }

  return { id, signUp, linkByEmail, redirect: { label, start, finish } }
}

async function discover({ issuer, clientId, clientSecret }: ProviderOptions): Promise<client.Configuration> {
  const url = new URL(issuer)
  const secret = clientSecret === '' ? undefined : clientSecret
  return client.discovery(
    url,
    clientId,
    { [client.clockTolerance]: TOLERANCE_S },
    secret === undefined ? client.None() : client.ClientSecretBasic(secret),
    {
      timeout: ANSWER_WITHIN_S,
      // Signatures too, though the token comes from the provider itself: one more thing that a forger has to break.
      execute: [client.enableNonRepudiationChecks, ...(isLoopback(url) ? [client.allowInsecureRequests] : [])],
    },
  )
}

/** Not the person's fault: no answer, or one that no provider gives that works. */
function isOutage(error: unknown): boolean {
  const { cause } = error as { cause?: unknown }
  if (cause instanceof Response && cause.status >= 500) return true
  // What fetch throws has no code of its own.
  return ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'TypeError'].includes(codeOf(error))
}

/** `OAUTH_...`, or the name of the error. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown').slice(0, 64)
}
