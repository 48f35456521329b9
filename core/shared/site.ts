import type { ProcessRole } from './process-role.js'

/** The path of `publicUrl`, without a trailing slash; empty at the root of the host. */
export const basePath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, '')

/** Data that a page needs before its first request. The server writes it into every page. */
export interface Site {
  /** The path of `publicUrl`, see `basePath`. */
  base: string
  product: string
  /** Path of the operator's logo, from the root of the host; null: the default logo. */
  logo: string | null
  /** Further footer links, in order. */
  links: SiteLink[]
  /** Text above the form on the home page; empty: none. */
  notice: string
  /** Role of the process: with `open`, pages that create or administer show a notice. */
  role: ProcessRole
  /** URL of the source code; empty: none. */
  source: string
}

export interface SiteLink {
  label: string
  /** http, https, mailto, or a path of the same host. */
  href: string
}
