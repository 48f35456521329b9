/** Second factors over HTTP: adds them as a browser does. */
import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { PasskeyRequest } from '#shared/api'
import type { Site } from './for-each-storage.js'
import { type Behavior, createSoftwarePasskey } from './software-authenticator.js'

type Headers = Record<string, string>

export interface AddedApp {
  /** null: it was not the first factor. */
  recoveryCodes: string[] | null
  /** The code at this time of the instance, plus `afterMs`. */
  code(afterMs?: number): string
}

/** Adds an authenticator app. `session`: proven within ten minutes. */
export async function addAuthenticatorApp(site: Site, session: Headers): Promise<AddedApp> {
  const options = await site.call('POST', '/account/factors/authenticator/options', session).expect(200)
  const { secret, setup } = options.body
  const code = (afterMs = 0) => codeOf(secret, site.app.clock.now + afterMs)
  const body = { setup, code: code() }
  const added = await site.call('POST', '/account/factors/authenticator', session, body).expect(201)
  return { recoveryCodes: added.body.recoveryCodes, code }
}

/** `secret`: in base32. */
export const codeOf = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })

/** Adds a passkey. `session`: proven within ten minutes. */
export async function addPasskey(site: Site, session: Headers, behavior: Behavior = {}) {
  const passkey = createSoftwarePasskey()
  const path = '/account/factors/passkeys'
  const options = await site.call('POST', `${path}/options`, session).expect(200)
  const created = { name: 'Schlüssel ☃', passkey: passkey.create(options.body, behavior) }
  const added = await site.call('POST', path, withCookies(session, options), created).expect(201)
  return { passkey, id: added.body.id as string, recoveryCodes: added.body.recoveryCodes as string[] | null }
}

/** Headers of a browser that has stored the cookies of a response. */
export function withCookies(headers: Headers, { headers: received }: { headers: Record<string, unknown> }): Headers {
  const set = ((received['set-cookie'] ?? []) as string[]).map((line) => line.split(';')[0] ?? '')
  const nameOf = (cookie: string) => cookie.split('=')[0]
  const kept = (headers.Cookie ?? '')
    .split('; ')
    .filter((each) => each !== '' && !set.some((one) => nameOf(one) === nameOf(each)))
  return { ...headers, Cookie: [...kept, ...set.filter((cookie) => !cookie.endsWith('='))].join('; ') }
}

/** The options for a passkey of a response, which must have them. */
export function requestIn(body: { passkey: PasskeyRequest | null }): PasskeyRequest {
  expect(body.passkey).not.toBeNull()
  return body.passkey as PasskeyRequest
}
