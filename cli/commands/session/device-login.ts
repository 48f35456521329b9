/** Sign-in by device login: the user approves a code in a browser, and this machine gets an API token. */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { TOKEN_NAME_MAX, USER_CODE_PATTERN } from '#shared/account-limits'
import type { StartDeviceLogin } from '#shared/api'
import { ApiError, NetworkError } from '#shared/client/client'
import { createRequest, type SendJson } from '#shared/client/send-request'
import { CreatedToken } from '#shared/response-schemas/account-responses'
import { StartedDeviceLogin } from '#shared/response-schemas/device-responses'
import { buildClientOptions } from '../../client/server-client.js'
import { CliError } from '../../lib/cli-error.js'
import { interruptible } from '../../lib/signals.js'
import { formatDuration } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import { openInBrowser } from '../../output/open-browser.js'
import { toSingleLine } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'

export interface DeviceLoginFlags extends GlobalFlags {
  /** False: only print the address. */
  browser?: boolean
}

/** Added to the time between two polls when the server asks for it, as RFC 8628 says. */
const SLOW_DOWN_MS = 5000
/** Longest time between two polls that a server can ask for. */
const INTERVAL_MAX_MS = 60_000
/** Longest time that a server can let this program wait. */
const WAIT_MAX_SECONDS = 3600

/**
 * Prints a code, waits until the user has approved it in a browser, and passes the token to `store`, which a signal
 * does not interrupt. Throws CliError `denied`, `interrupted`, or `check_failed` for an invalid address or code.
 */
export async function logInByDevice(
  server: string,
  flags: DeviceLoginFlags,
  io: Io,
  store: (token: string) => Promise<void>,
): Promise<void> {
  const options = buildClientOptions(server, flags, io)
  // The server refuses requests of other sites. This header marks the request as one of its own site.
  const { json } = createRequest({ ...options, headers: { ...options.headers, 'sec-fetch-site': 'same-origin' } })
  const name = `mayfly on ${hostname()}`.slice(0, TOKEN_NAME_MAX)
  const body: StartDeviceLogin = { client: name, scopes: ['secrets:create', 'secrets:read', 'account'] }
  const started = await json({ response: StartedDeviceLogin, method: 'POST', path: '/authentication/device', body })
  const url = checkAddress(started)
  const isOwnAddress = url.origin === new URL(server).origin
  // Also with --quiet: the user needs them to sign in.
  io.writeErr(`mayfly: to sign in, open ${url.href}\n`)
  io.writeErr(`mayfly: and check that it shows the code ${started.userCode}\n`)
  if (!isOwnAddress) io.warn(`this address is not on ${toSingleLine(server)}; sign in only if you know ${url.host}`)
  else if (flags.browser !== false) openInBrowser(url.href, io)
  await interruptible(io.cleanup, async (signal) => store(await waitForToken(started, { json, name, signal, io })))
}

/** Throws CliError `check_failed`. */
function checkAddress({ verificationUrl, userCode }: StartedDeviceLogin): URL {
  const url = URL.canParse(verificationUrl) ? new URL(verificationUrl) : null
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password
  if (isWeb && USER_CODE_PATTERN.test(userCode.replace('-', ''))) return url
  throw new CliError('check_failed', 'the server sent an invalid address or code', 'check the address of the server')
}

interface Wait {
  json: SendJson
  /** Of the token. */
  name: string
  signal: AbortSignal
  io: Io
}

/** Polls until the login is decided or over. Failures of the network and the server are retried until then. */
async function waitForToken(
  { deviceCode, expiresInSeconds, intervalSeconds }: StartedDeviceLogin,
  { json, name, signal, io }: Wait,
): Promise<string> {
  const seconds = Math.min(expiresInSeconds, WAIT_MAX_SECONDS)
  const deadline = performance.now() + seconds * 1000
  io.note(`waiting for approval in the browser, for up to ${formatDuration(seconds)}`)
  let intervalMs = Math.min(Math.max(intervalSeconds, 1) * 1000, INTERVAL_MAX_MS)
  let extraMs = 0
  let outage: unknown
  for (;;) {
    const waitMs = intervalMs + extraMs
    const leftMs = Math.max(0, deadline - performance.now())
    await pause(Math.min(waitMs, leftMs), signal)
    if (leftMs <= waitMs) throw outage ?? expired()
    extraMs = 0
    try {
      const path = '/authentication/device/token'
      return (await json({ response: CreatedToken, method: 'POST', path, body: { deviceCode }, signal })).token
    } catch (error) {
      if (isExpired(error)) throw outage ? lostAnswer(name) : expired()
      const isOutage = isTemporary(error)
      if (isOutage && !outage) io.note('the server does not respond; trying again')
      outage = isOutage ? error : undefined
      if (isOutage) continue
      const { code = '', body } = error instanceof ApiError ? error : {}
      if (code === 'auth.device_denied') throw new CliError('denied', 'the sign-in was denied in the browser')
      if (code === 'auth.device_slow_down') intervalMs = Math.min(intervalMs + SLOW_DOWN_MS, INTERVAL_MAX_MS)
      else if (code === 'limit.reached') extraMs = Math.min((body?.retryAfter ?? 0) * 1000, INTERVAL_MAX_MS)
      else if (code !== 'auth.device_pending') throw error
    }
  }
}

/** Throws the reason of the signal. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error) => {
    signal.throwIfAborted()
    throw error
  })
}

const isExpired = (error: unknown): boolean => error instanceof ApiError && error.code === 'auth.device_expired'

const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && error.status >= 500)

const expired = (): CliError =>
  new CliError(
    'denied',
    'not approved in time, or from another network than before',
    'run `mayfly login` again, and approve it in the browser',
  )

/** The server may have sent a token that did not arrive. It sends each one once. */
const lostAnswer = (name: string): CliError =>
  new CliError(
    'unavailable',
    'the connection broke, and the code has expired or was used',
    `run \`mayfly login\` again; if you have approved it, delete the token "${toSingleLine(name)}" on the account page`,
  )
