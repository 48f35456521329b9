import { findLink, type LinkKind } from '#shared/find-link'
import { lookUp } from '#shared/look-up'

/** The path of a link and its fragment, as they are without changes. */
const KINDS: Record<string, LinkKind> = { secret: 'secret', lite: 'secret', request: 'request', collect: 'collect' }

/**
 * Returns path and fragment of the link in an address that a mail or chat program changed, such as
 * `/secret/{id}%23{fragment}` or `/secret/{id}#{fragment}&utm_source=mail`. Null if there is none. `base`: base path of
 * the instance.
 */
export function repairAddress(href: string, base: string): string | null {
  const [, name = ''] = /^\/(\w+)/.exec(new URL(href).pathname.slice(base.length)) ?? []
  const page = name.toLowerCase()
  const kind = page === 'receipt' ? 'receipt' : lookUp(KINDS, page)
  if (kind === undefined) return null
  try {
    const { id, fragment } = findLink(href, kind)
    return `${base}/${page}${id && `/${id}`}${fragment === null ? '' : `#${fragment}`}`
  } catch {
    return null
  }
}
