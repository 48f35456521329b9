/** Headers and settings of requests: addresses and ranges, languages, and the structure of JSON bodies. */

import { assertJsonLimits, DEPTH_MAX } from '#core/http/lib/json-limits'
import { normalizeIp, resolveClientIp } from '#core/http/middleware/client-ip'
import { AppError } from '#core/lib/errors'
import {
  anonymizeIp,
  isAllowedAddress,
  isLoopbackHost,
  isNarrowerRange,
  rateLimitPrefix,
  siteRateLimitPrefix,
} from '#core/lib/ip'
import { createLanguageNegotiator, preferredLanguage } from '#core/lib/language'
import { ipRange } from '#shared/api/common'
import { isWideRange } from '#shared/proxy-ranges'
import { assert, attemptSync, type FuzzTarget, toText } from '../target.js'

/** Two words: a range and an address, or a list of hops. */
export const addresses: FuzzTarget = {
  tokens: [
    '203.0.113.7',
    '10.0.0.0/8',
    '::1',
    '2001:db8::/32',
    '::ffff:203.0.113.0/120',
    '[::1]:5',
    '%eth0',
    '0x7f.1',
    ', ',
    '/33',
    '/129',
    ' ',
  ],
  run(bytes) {
    const text = toText(bytes)
    const [first = '', second = ''] = text.split(' ')
    for (const address of [first, second, text]) {
      rateLimitPrefix(address)
      siteRateLimitPrefix(address)
      isLoopbackHost(address)
      const network = anonymizeIp(address)
      assert(network === null || isAllowedAddress(network, address), `${address} is in its network`)
      const normal = normalizeIp(address)
      assert(normal === null || normalizeIp(normal) === normal, `${address} has one normal form`)
      const client = resolveClientIp('10.0.0.1', address, ['10.0.0.0/8', 'fc00::/7'])
      assert(client === null || normalizeIp(client) === client, 'the address of a client is an address')
    }
    if (!ipRange.safeParse(first).success) return
    isWideRange(first)
    isAllowedAddress(first, second)
    assert(isNarrowerRange(first, first), `${first} is inside itself`)
    assert(first.includes('/') || isAllowedAddress(first, first), `${first} allows itself`)
    if (!ipRange.safeParse(second).success) return
    const isInside = isNarrowerRange(second, first)
    if (isInside && !second.includes('/')) assert(isAllowedAddress(first, second), `${second} is in ${first}`)
  },
}

const LANGUAGES = ['ar', 'de', 'en', 'nb', 'pt-BR', 'pt-PT', 'zh-CN', 'zh-TW']
const negotiate = createLanguageNegotiator(LANGUAGES)

export const languages: FuzzTarget = {
  tokens: [
    ...LANGUAGES,
    'de-CH',
    'no',
    'zh-Hant-TW',
    '*',
    ';q=',
    ';q=0.8',
    ';q=0',
    ',',
    '-u-co-phonebk',
    '-x-',
    'i-klingon',
  ],
  run(bytes) {
    const header = toText(bytes)
    assert(LANGUAGES.includes(negotiate(header)), 'the language is one of ours')
    const preferred = preferredLanguage(header)
    if (preferred === null) return
    assert(/^[A-Za-z0-9-]{1,64}$/.test(preferred), 'a preferred language is a short tag')
    assert(preferredLanguage(preferred) !== null, 'a preferred language is a tag itself')
  },
}

const isAppError = (error: unknown) => error instanceof AppError
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

/** The scan before `JSON.parse` has to find the same strings as `JSON.parse`. */
export const json: FuzzTarget = {
  tokens: [
    '{"a":',
    '[',
    ']',
    '}',
    '"',
    '\\"',
    '\\\\',
    '\\u0022',
    ',',
    '[[[[[[[[[[[[[[[[[',
    '{"a":{"a":{"a":{"a":{"a":',
    '☃',
    '1e9',
    'null',
  ],
  run(bytes) {
    const text = toText(bytes)
    const value = attemptSync(
      () => JSON.parse(text) as unknown,
      (error) => error instanceof SyntaxError,
    )
    if (value === null) return void attemptSync(() => assertJsonLimits(bytes, 4096), isAppError)
    const isRefused = attemptSync(() => assertJsonLimits(bytes, 4096), isAppError) === null
    const depth = depthOf(value)
    assert(isRefused || depth <= DEPTH_MAX, `${depth} levels are accepted`)
  },
}
