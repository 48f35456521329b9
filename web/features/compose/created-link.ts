import type { CreatedSecret } from '#shared/api'

/** A created secret with its link. `url` and `key` are the two halves of `link`. */
export interface CreatedLink extends CreatedSecret {
  link: string
  /** Null for public secrets, which have no key. */
  key: string | null
  password: string
  allowedIp: string
  /** Known to this page only: the server has hashes. */
  recipients: string[]
  files: { name: string; size: number }[]
  /** Of several links to one upload. The `link` is a table of them then, and the other fields are of the first one. */
  people?: PersonLink[]
  /** Some of the links could not be created. */
  missing?: MissingLinks
}

export interface MissingLinks {
  /** Of the people without a link. */
  names: string[]
  /** Why the first one failed. */
  error: unknown
  /** Creates the missing links. Resolves to all links, of which some may still be missing. */
  retry(): Promise<CreatedLink>
}

export interface PersonLink {
  name: string
  secret: CreatedLink
}

/** A link to show, and whether it was copied. */
export interface ShownLink {
  secret: CreatedLink
  copied: Promise<boolean>
  isBurned?: boolean
}

/**
 * The links that were created on this page, by id, for Back and Forward. Only in memory: session storage and the state
 * of the history contain keys in clear, and browsers write both to disk.
 */
export const createdLinks = new Map<string, ShownLink>()
