/** An auth provider that uses the authorization code flow with PKCE. openid-client builds and verifies every step. */
import * as client from 'openid-client'
import { AppError, type AuthProvider, type Log, type RedirectState } from '#core'
import { type Claims, hasNeededClaims, identityFromClaims, type Needs } from './identity-from-claims.js'
import { isLoopback, type ProviderOptions } from './oidc-options.js'
import { hasSecondFactor } from './second-factor-claims.js'

/** In seconds. */
const CLOCK_TOLERANCE = 60
const REQUEST_TIMEOUT = 5

interface OidcProvider {
  options: ProviderOptions
  log: Log
  configure(): Promise<client.Configuration>
  /** Forgets the metadata and keys of the provider, so that the next sign-in reads them again. */
  forget(): void
}

export function createOidcProvider(options: ProviderOptions, log: Log): AuthProvider {
  const { id, label, signUp, linkByEmail, creatorGroups } = options
  const { load, forget } = cacheUntilFailure(() => discover(options))
  const provider = { options, log, configure: load, forget }
  return {
    id,
    signUp,
    linkByEmail,
    decidesCreation: creatorGroups.length > 0,
    redirect: {
      label,
      start: (callbackUrl) => startSignIn(provider, callbackUrl),
      finish: (callback, state, needs) => finishSignIn(provider, callback, { state, needs }),
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

interface Returned {
  state: RedirectState
  needs: Needs
}

async function finishSignIn(
  provider: OidcProvider,
  callback: URL,
  { state: { state, providerState }, needs }: Returned,
) {
  const { nonce, verifier } = JSON.parse(providerState)
  const { idToken, claims } = await translateErrors(provider, async () => {
    const config = await provider.configure()
    const tokens = await client.authorizationCodeGrant(config, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const idToken = tokens.claims() as Claims
    return { idToken, claims: await addUserInfo({ provider, config, needs }, tokens.access_token, idToken) }
  })
  const mapped = identityFromClaims(claims, provider.options, needs)
  if (typeof mapped === 'string') throw refuse(provider, mapped)
  if (mapped.warning) {
    provider.log.warn('permissions kept, groups of the provider not readable', {
      provider: provider.options.id,
      reason: mapped.warning,
    })
  }
  // The userinfo response does not describe this sign-in.
  return { ...mapped.identity, secondFactor: hasSecondFactor(idToken, provider.options.secondFactorAcr) }
}

interface UserInfoSource {
  provider: OidcProvider
  config: client.Configuration
  needs: Needs
}

/**
 * Adds the claims of the userinfo response when the ID token lacks a needed claim. The response must have the subject
 * of the ID token. When the provider refuses it, only the claims of the ID token are used.
 */
async function addUserInfo(
  { provider: { options, log }, config, needs }: UserInfoSource,
  accessToken: string,
  claims: Claims,
): Promise<Claims> {
  if (hasNeededClaims(claims, options, needs) || !config.serverMetadata().userinfo_endpoint) return claims
  try {
    return { ...(await client.fetchUserInfo(config, accessToken, claims.sub)), ...claims }
  } catch (error) {
    if (isOutage(error) || errorCode(error) === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error
    log.warn('userinfo of the provider not readable', { provider: options.id, reason: errorCode(error) })
    return claims
  }
}

/**
 * Throws AppError `auth.unavailable` or `auth.refused`. Only the error code of the provider is logged, never its
 * message.
 */
async function translateErrors<T>(provider: OidcProvider, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    // The provider signs with a new key.
    if (errorCode(error) === 'OAUTH_KEY_SELECTION_FAILED') provider.forget()
    if (!isOutage(error)) throw refuse(provider, errorCode(error))
    provider.log.warn('sign-in provider unavailable', { provider: provider.options.id, reason: errorCode(error) })
    throw new AppError('auth.unavailable')
  }
}

function refuse({ options, log }: OidcProvider, reason: string): AppError {
  log.warn('sign-in refused', { provider: options.id, reason })
  return new AppError('auth.refused')
}

/** Many administrators add or omit the slash at the end of the issuer. The discovery document is at the same URL. */
async function discover(options: ProviderOptions): Promise<client.Configuration> {
  const { issuer } = options
  try {
    return await readDiscovery(issuer, options)
  } catch (error) {
    if (errorCode(error) !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error
    return await readDiscovery(issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`, options)
  }
}

function readDiscovery(
  issuer: string,
  { clientId, clientSecret, clientAuth }: ProviderOptions,
): Promise<client.Configuration> {
  const url = new URL(issuer)
  return client.discovery(
    url,
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE },
    clientSecret === '' ? client.None() : authenticateClient(clientSecret, clientAuth),
    {
      timeout: REQUEST_TIMEOUT,
      // Verifies signatures too, although the token comes from the provider itself, as defense in depth.
      execute: [client.enableNonRepudiationChecks, ...(isLoopback(url) ? [client.allowInsecureRequests] : [])],
    },
  )
}

/** `auto`: the form of the discovery document, which defaults to Basic. */
function authenticateClient(clientSecret: string, method: ProviderOptions['clientAuth']): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)]
  return (metadata, ...request) => {
    const offered = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const chosen = method === 'auto' && !offered.includes('client_secret_basic') ? offered : [method]
    return (chosen.includes('client_secret_post') ? post : basic)(metadata, ...request)
  }
}

/** Loads on first use, and again after a failure, so that the instance starts when its provider is down. */
function cacheUntilFailure<T>(read: () => Promise<T>) {
  let cached: Promise<T> | null = null
  const forget = () => {
    cached = null
  }
  const load = (): Promise<T> => {
    if (cached) return cached
    const loading = read()
    cached = loading
    loading.catch(forget)
    return loading
  }
  return { load, forget }
}

/** True for errors that the user did not cause: no response, a server error, or a malformed response. */
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
