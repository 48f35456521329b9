import type { CreatedSecret } from '#shared/api'

/** The link, its two halves, and what the sender may want to know or copy. */
export interface CreatedLink extends CreatedSecret {
  link: string
  /** Null: public, there is no key. */
  key: string | null
  password: string
  allowedIp: string
}
