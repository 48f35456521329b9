/** Prints a new secret. */
import type { CreatedSecret } from '#shared/api'
import type { DraftFile } from '#shared/crypto/encrypt-secret'
import { formatExpiry, formatTime, formatViews } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import type { NewPassword } from '../../secrets/secret-password.js'

interface Flags {
  public?: true
  split?: true
  label?: string
}

export interface StoredSecret {
  created: CreatedSecret
  link: string
  linkWithoutKey: string
  /** Null for public secrets. */
  key: string | null
  files: DraftFile[]
}

export function printSummary({ created, files }: StoredSecret, flags: Flags, io: Io): void {
  const what = files.length > 0 ? `created with ${formatCount(files.length, 'file')}` : 'created'
  io.note(`${what}: opens ${formatViews(created.maxViews)}, expires ${formatExpiry(created.expiresAt, Date.now())}`)
  if (flags.public) io.warn('public secret: it is not encrypted, and everyone can find and read it')
}

/** Returns the link; with --split the link without its key and the key. */
export function formatLines({ link, linkWithoutKey, key }: StoredSecret, { split, label }: Flags): string {
  const before = label === undefined ? '' : `${label}\t`
  return `${before}${split ? `${linkWithoutKey}\n${before}${key}` : link}\n`
}

/** Returns the values that a CI log must not show. */
export const listSensitiveValues = ({ created, link, key }: StoredSecret, chosen: NewPassword | null): string[] => [
  ...(key === null ? [] : [link, key]),
  ...(created.receipt === undefined ? [] : [created.receipt]),
  ...(chosen?.isGenerated ? [chosen.password] : []),
]

/** Returns the document of --json. */
export function formatJson(
  { created, link, linkWithoutKey, key, files }: StoredSecret,
  chosen: NewPassword | null,
  { label }: Flags,
): string {
  const { id, kind, expiresAt, maxViews, burnToken } = created
  return `${JSON.stringify({
    id,
    kind,
    link,
    key,
    link_without_key: linkWithoutKey,
    expires_at: formatTime(expiresAt),
    views: maxViews,
    has_password: chosen !== null,
    burn_token: burnToken,
    files: files.map(({ name, size }) => ({ name, size })),
    receipt: created.receipt,
    label,
    password: chosen?.isGenerated ? chosen.password : undefined,
  })}\n`
}
