import type { CreatedSecret } from '#shared/api'

/** A created secret with its link. `url` and `key` are the two halves of `link`. */
export interface CreatedLink extends CreatedSecret {
  link: string
  /** Null for public secrets, which have no key. */
  key: string | null
  password: string
  allowedIp: string
}
