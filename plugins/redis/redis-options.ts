/** Options of the connection to Redis. */
import { secret, z } from '#core'

export const options = z.object({
  url: secret(
    z
      .string()
      .refine(
        isRedisUrl,
        'must be redis://host:port or rediss://host:port, with user:password@ and /database if needed',
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
      'start of all keys and channels; the same in all processes of an instance, and another one in each instance',
    ),
})

function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, pathname } = new URL(text)
  return ['redis:', 'rediss:'].includes(protocol) && hostname !== '' && /^(\/\d{0,5})?$/.test(pathname)
}
