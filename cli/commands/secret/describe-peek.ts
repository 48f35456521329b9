/** What can be known of a secret without opening it. */
import type { SecretExists } from '#shared/api'
import { expiryOf, isoTime } from '../../output/format-expiry.js'
import { counted } from '../../output/sanitize.js'

const KINDS: Record<SecretExists['kind'], string> = {
  sealed: 'encrypted by its sender',
  raw: 'encrypted by the server',
  public: 'public, not encrypted',
}

export function peekDocument({ id, kind, maxViews, passwordRequired, expiresAt, files }: SecretExists): string {
  const facts = {
    id,
    kind,
    views_left: maxViews,
    has_password: passwordRequired,
    files,
    expires_at: isoTime(expiresAt),
  }
  return `${JSON.stringify(facts)}\n`
}

/** `now` in epoch ms. */
export function describePeek(
  { kind, maxViews, passwordRequired, expiresAt, files }: SecretExists,
  now: number,
): string {
  const rows = [
    ['kind', KINDS[kind]],
    ['opens', maxViews === null ? 'as often as wanted' : counted(maxViews, 'more time')],
    ['expires', expiryOf(expiresAt, now)],
    ['files', files === 0 ? 'none' : String(files)],
    ['password', passwordRequired ? 'needed' : 'none'],
  ]
  return rows.map(([name = '', value]) => `${name.padEnd(8)}  ${value}\n`).join('')
}
