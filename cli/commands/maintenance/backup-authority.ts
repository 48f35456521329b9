/** The origin of a backup, and whether a restore accepts it. Decision 081. */
import type { BackupKey, Manifest } from '#core/backup'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'

/** The key or passphrase that proves the origin of a backup; null: none. */
export type Authority = BackupKey['source'] | 'passphrase' | null

const AUTHORITIES = { instance: 'the instance key', file: 'the key file', passphrase: 'the passphrase' }

export const getAuthority = (key: BackupKey | undefined, hasPassphrase: boolean): Authority =>
  key?.source ?? (hasPassphrase ? 'passphrase' : null)

/** Throws CliError `wrong_password` for a backup that anyone can have made, unless the flags accept it. */
export function requireAuthority(
  authority: Authority,
  manifest: Manifest,
  { acceptUnauthenticated }: { acceptUnauthenticated?: true },
  io: Io,
): void {
  if (authority !== null) {
    io.note(`the backup was made with ${AUTHORITIES[authority]}`)
    return
  }
  const what = manifest.key === null ? 'has no key' : 'was made with a key that is not here'
  if (acceptUnauthenticated) {
    io.warn(`the backup ${what}: check the list of administrators`)
    return
  }
  throw new CliError(
    'wrong_password',
    `the backup ${what}, so it may have been changed`,
    'pass the key file of the backup with --key-file, or set instanceKey to the key of the old instance; --accept-unauthenticated restores it anyway, if only you could write to it',
  )
}
