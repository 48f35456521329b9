/** What is said and printed about a new secret. */
import type { CreatedSecret } from '#shared/api'
import type { DraftFile } from '#shared/crypto/encrypt-secret'
import { expiryOf, isoTime, timesOf } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { counted } from '../../output/sanitize.js'
import type { NewPassword } from '../../secrets/secret-password.js'

interface Flags {
  public?: true
  split?: true
  label?: string
}

export interface Stored {
  answer: CreatedSecret
  link: string
  keyless: string
  /** The key alone; null for public secrets. */
  key: string | null
  files: DraftFile[]
}

export function tell({ answer, files }: Stored, flags: Flags, io: Io): void {
  const what = files.length > 0 ? `created with ${counted(files.length, 'file')}` : 'created'
  io.note(`${what}: opens ${timesOf(answer.maxViews)}, expires ${expiryOf(answer.expiresAt, Date.now())}`)
  if (flags.public) io.warn('public: it is not encrypted, and everyone can find and read it')
}

/** The link; with --split the link without its key, and the key. */
export function lines({ link, keyless, key }: Stored, { split, label }: Flags): string {
  const before = label === undefined ? '' : `${label}\t`
  return `${before}${split ? `${keyless}\n${before}${key}` : link}\n`
}

/** What a log must not show. A public secret has nothing of the kind. */
export const secretsOf = ({ link, key }: Stored, chosen: NewPassword | null): string[] => [
  ...(key === null ? [] : [link, key]),
  ...(chosen?.isGenerated ? [chosen.password] : []),
]

/** The one document of --json. */
export function document(
  { answer, link, keyless, key, files }: Stored,
  chosen: NewPassword | null,
  { label }: Flags,
): string {
  const { id, kind, expiresAt, maxViews, burnToken } = answer
  return `${JSON.stringify({
    id,
    kind,
    link,
    key,
    link_without_key: keyless,
    expires_at: isoTime(expiresAt),
    views: maxViews,
    has_password: chosen !== null,
    burn_token: burnToken,
    files: files.map(({ name, size }) => ({ name, size })),
    ...(label === undefined ? {} : { label }),
    ...(chosen?.isGenerated ? { password: chosen.password } : {}),
  })}\n`
}
