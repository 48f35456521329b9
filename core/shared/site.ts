/** The path of an instance's public address, without a trailing slash; empty at the root of its host. */
export const basePath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, '')

/** What a page must know of its instance before its first request: written into every page by the server. */
export interface Site {
  /** The path under which people reach the instance, without a trailing slash; empty at the root of its host. */
  base: string
  product: string
  /** Address of the operator's logo, from the root of the host; null: the app's own. */
  logo: string | null
  /** Further links of the footer, in order. */
  links: SiteLink[]
  /** Shown above the composer; empty: nothing. */
  notice: string
  /** Where the source code is; empty: not said. */
  source: string
}

export interface SiteLink {
  label: string
  /** http, https, mailto, or a path of the same host. */
  href: string
}
