/** Authenticates backups with a MAC, so that only someone with the key can create or change a backup. Decision 081. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Summary } from './backup-format.js'

/** `instance`: derived from the instance key. `file`: from a file that the operator keeps. */
export type BackupKeySource = 'instance' | 'file'

export interface BackupKey {
  source: BackupKeySource
  /** Identifies the key without revealing it. */
  id: string
  /** MAC of a summary, hex. */
  sign(summary: Summary): string
  /** False unless `mac` equals the result of `sign`. */
  matches(summary: Summary, mac: string): boolean
}

/** `secret`: at least 32 random bytes. */
export function createBackupKey(source: BackupKeySource, secret: Buffer): BackupKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mayfly/v1/backup', 32))
  const hmac = (text: string) => createHmac('sha256', key).update(text).digest()
  // The checksum covers the manifest and all rows and blobs.
  const compute = ({ rows, blobs, bytes, sha256 }: Summary) => hmac(JSON.stringify({ rows, blobs, bytes, sha256 }))
  return {
    source,
    id: hmac('id').subarray(0, 8).toString('hex'),
    sign: (summary) => compute(summary).toString('hex'),
    matches(summary, mac) {
      const given = Buffer.from(mac, 'hex')
      return given.length === 32 && timingSafeEqual(given, compute(summary))
    },
  }
}
