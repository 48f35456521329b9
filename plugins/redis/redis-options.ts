/** Options of the connection to Redis. */
import { secret, z } from '#core'

export const options = z.object({
  url: secret(
    z
      .string()
      .refine(
        isRedisUrl,
        'must be redis://host:port or rediss://host:port, with user:password@ and /database if needed; in a password, write @ as %40, / as %2F, # as %23, ? as %3F and % as %25',
      )
      .default('redis://127.0.0.1:6379')
      .describe('redis://user:password@host:port/database; rediss:// for TLS'),
  ),
  prefix: z
    .string()
    .max(64)
    .regex(/^[\w.:-]*$/, 'must have letters, digits and . : _ - only')
    .default('mayfly:')
    .describe(
      'start of all keys and channels; the same in all processes of an instance, and different for each instance',
    ),
})

/** An @ after the host belongs to a password with an unencoded character, part of which would be parsed as the host. */
function isRedisUrl(text: string): boolean {
  const [, authority = '', rest = ''] = /^rediss?:\/\/([^/?#]*)(.*)$/s.exec(text) ?? []
  if (authority === '' || !/^(\/\d{0,5})?$/.test(rest) || /[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false
  return new URL(text).hostname !== '' && isDecodable(authority)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
