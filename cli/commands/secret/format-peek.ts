/** Formats what a peek returns: facts about a secret that don't need a view. */
import type { SecretExists } from '#shared/api'
import { formatExpiry, formatTime } from '../../output/format-expiry.js'
import { formatCount } from '../../output/sanitize.js'

const KINDS: Record<SecretExists['kind'], string> = {
  sealed: 'encrypted by the sender',
  raw: 'encrypted by the server',
  public: 'public, not encrypted',
}

export function formatPeekJson({ id, kind, maxViews, passwordRequired, expiresAt, files }: SecretExists): string {
  const facts = {
    id,
    kind,
    views_left: maxViews,
    has_password: passwordRequired,
    files,
    expires_at: formatTime(expiresAt),
  }
  return `${JSON.stringify(facts)}\n`
}

/** `now` in epoch ms. */
export function formatPeek({ kind, maxViews, passwordRequired, expiresAt, files }: SecretExists, now: number): string {
  const rows = [
    ['kind', KINDS[kind]],
    ['opens', maxViews === null ? 'any number of times' : formatCount(maxViews, 'more time')],
    ['expires', formatExpiry(expiresAt, now)],
    ['files', files === 0 ? 'none' : String(files)],
    ['password', passwordRequired ? 'required' : 'none'],
  ]
  return rows.map(([name = '', value]) => `${name.padEnd(8)}  ${value}\n`).join('')
}
