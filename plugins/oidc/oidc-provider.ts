/** An auth provider that uses the authorization code flow with PKCE. openid-client builds and verifies every step. */
import * as client from 'openid-client'
import { AppError, type AuthProvider, type Log, type RedirectState } from '#core'
import { type Claims, identityFromClaims } from './identity-from-claims.js'
import { isLoopback, type ProviderOptions } from './oidc-options.js'

/** In seconds. */
const CLOCK_TOLERANCE = 5
const REQUEST_TIMEOUT = 5

interface OidcProvider {
  options: ProviderOptions
  log: Log
  configure(): Promise<client.Configuration>
}

export function createOidcProvider(options: ProviderOptions, log: Log): AuthProvider {
  const { id, label, signUp, linkByEmail } = options
  const provider = { options, log, configure: cacheUntilFailure(() => discover(options)) }
  return {
    id,
    signUp,
    linkByEmail,
    redirect: {
      label,
      start: (callbackUrl) => startSignIn(provider, callbackUrl),
      finish: (callback, state) => finishSignIn(provider, callback, state),
    },
  }
}

async function startSignIn(provider: OidcProvider, callbackUrl: string) {
  const { scopes, prompt } = provider.options
  const config = await translateErrors(provider, provider.configure)
  const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callbackUrl,
    scope: scopes,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(prompt === '' ? {} : { prompt }),
  })
  return { url, state, providerState: JSON.stringify({ nonce, verifier }) }
}

async function finishSignIn(provider: OidcProvider, callback: URL, { state, providerState }: RedirectState) {
  const { nonce, verifier } = JSON.parse(providerState)
  const claims = await translateErrors(provider, async () => {
    const config = await provider.configure()
    const tokens = await client.authorizationCodeGrant(config, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    return addUserInfo(config, tokens.access_token, tokens.claims() as Claims)
  })
  const identity = identityFromClaims(claims, provider.options)
  if (typeof identity === 'string') throw refuse(provider, identity)
  return identity
}

/** Many providers have the e-mail claims only in the userinfo response, not in the ID token. */
async function addUserInfo(config: client.Configuration, accessToken: string, claims: Claims): Promise<Claims> {
  const isComplete = claims.email !== undefined && claims.email_verified !== undefined
  if (isComplete || !config.serverMetadata().userinfo_endpoint) return claims
  return { ...(await client.fetchUserInfo(config, accessToken, claims.sub)), ...claims }
}

/** Throws AppError `auth.unavailable` or `auth.refused`. Only the error code of the provider is logged, never its message. */
async function translateErrors<T>(provider: OidcProvider, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!isOutage(error)) throw refuse(provider, errorCode(error))
    provider.log.warn('sign-in provider unavailable', { provider: provider.options.id, reason: errorCode(error) })
    throw new AppError('auth.unavailable')
  }
}

function refuse({ options, log }: OidcProvider, reason: string): AppError {
  log.warn('sign-in refused', { provider: options.id, reason })
  return new AppError('auth.refused')
}

function discover({ issuer, clientId, clientSecret }: ProviderOptions): Promise<client.Configuration> {
  const url = new URL(issuer)
  return client.discovery(
    url,
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE },
    clientSecret === '' ? client.None() : client.ClientSecretBasic(clientSecret),
    {
      timeout: REQUEST_TIMEOUT,
      // Verifies signatures too, although the token comes from the provider itself, as defense in depth.
      execute: [client.enableNonRepudiationChecks, ...(isLoopback(url) ? [client.allowInsecureRequests] : [])],
    },
  )
}

/** Loads on first use, and again after a failure, so that the instance starts when its provider is down. */
function cacheUntilFailure<T>(load: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | null = null
  return () => {
    if (cached) return cached
    const loading = load()
    cached = loading
    loading.catch(() => {
      cached = null
    })
    return loading
  }
}

/** True for errors that the user did not cause: no response, a server error, or a malformed one. */
function isOutage(error: unknown): boolean {
  const { cause } = error as { cause?: unknown }
  if (cause instanceof Response && cause.status >= 500) return true
  // Network errors of fetch are TypeErrors without a code.
  return ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'TypeError'].includes(errorCode(error))
}

/** `OAUTH_...`, or the name of the error. */
function errorCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown').slice(0, 64)
}
