/** Formats what a peek returns: facts about a secret that don't need a view. */
import type { SecretExists } from '#shared/api'
import type { EpochMs } from '#shared/epoch-ms'
import { formatExpiry, formatTime } from '../../output/format-expiry.js'
import { formatCount } from '../../output/sanitize.js'

const KINDS: Record<SecretExists['kind'], string> = {
  sealed: 'encrypted by the sender',
  raw: 'encrypted by the server',
  public: 'public, not encrypted',
}

export function formatPeekJson(found: SecretExists): string {
  const { id, kind, maxViews, passwordRequired, codeRequired, expiresAt, files } = found
  const facts = {
    id,
    kind,
    views_left: maxViews,
    has_password: passwordRequired,
    requires_code: codeRequired,
    files,
    expires_at: formatTime(expiresAt),
  }
  return `${JSON.stringify(facts)}\n`
}

export function formatPeek(found: SecretExists, now: EpochMs): string {
  const { kind, maxViews, passwordRequired, codeRequired, expiresAt, files } = found
  const rows = [
    ['kind', KINDS[kind]],
    ['opens', maxViews === null ? 'any number of times' : formatCount(maxViews, 'more time')],
    ['expires', formatExpiry(expiresAt, now)],
    ['files', files === 0 ? 'none' : String(files)],
    ['password', passwordRequired ? 'required' : 'none'],
    ...(codeRequired ? [['code', 'sent by e-mail to named recipients']] : []),
  ]
  return rows.map(([name = '', value]) => `${name.padEnd(8)}  ${value}\n`).join('')
}
