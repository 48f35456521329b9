/**
 * Format of a backup: a tar archive with `manifest.json`, then `rows/TABLE/NUMBER.ndjson` with increasing numbers and
 * `blobs/KEY`, then `summary.json`. A row is one line of JSON with plain values, the same for every database. See
 * docs/backup.md.
 */
import { z } from 'zod'

export const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const SUMMARY = 'summary.json'

export const manifestSchema = z.object({
  format: z.int().min(1),
  /** Version of Mayfly that created the backup. */
  mayfly: z.string(),
  /** Epoch ms, before the first row was read. */
  createdAt: z.int(),
  /** Names of the migrations, in order. */
  schema: z.array(z.string()),
  secrets: z.boolean(),
  files: z.boolean(),
  /** Whether the hashes of API tokens are included. */
  tokens: z.boolean().default(false),
  /** Id of the key of the MAC in the summary. null: without a MAC. */
  key: z.string().nullable().default(null),
})
export type Manifest = z.output<typeof manifestSchema>

export const summarySchema = z.object({
  /** Number of rows by table. */
  rows: z.record(z.string(), z.int()),
  blobs: z.int(),
  /** Total size of the blobs. */
  bytes: z.int(),
  /** Hex SHA-256 over all entries before this one: name, line feed, size, line feed, bytes. */
  sha256: z.string(),
  /** Hex HMAC-SHA-256 of the other fields, with the key that the manifest names. */
  mac: z.string().optional(),
})
export type Summary = z.output<typeof summarySchema>

export const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Entry names. */
export const rowsName = (table: string, number: number): string =>
  `rows/${table}/${String(number).padStart(8, '0')}.ndjson`
export const blobName = (key: string): string => `blobs/${key}`
/** null: an entry without rows. */
export function parseRowsName(name: string): { table: string; number: number } | null {
  const [, table, number] = /^rows\/([a-z_]{1,64})\/(\d{8,15})\.ndjson$/.exec(name) ?? []
  return table === undefined ? null : { table, number: Number(number) }
}
export const keyOfEntry = (name: string): string | null => /^blobs\/([a-z0-9]{32})$/.exec(name)?.[1] ?? null

/** The message describes the problem of a backup in one sentence. */
export class BackupError extends Error {
  override name = 'BackupError'
  constructor(
    /**
     * `damaged`: truncated or changed. `foreign`: not a backup of Mayfly. `newer`: created by a newer version.
     * `too-large`: an entry is larger than this instance can have written.
     */
    readonly problem: 'damaged' | 'foreign' | 'newer' | 'too-large',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
