/**
 * The form of a backup: a tar archive of `manifest.json`, then `rows/TABLE/NUMBER.ndjson` and `blobs/KEY` as they come,
 * then `summary.json`. A row is one line of JSON in plain values, the same on every engine. docs/backup.md describes it.
 */
import { z } from 'zod'

export const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const SUMMARY = 'summary.json'

export const manifestSchema = z.object({
  format: z.int().min(1),
  /** Version of the program that made it. */
  mayfly: z.string(),
  /** Epoch ms, from before the first row was read. */
  createdAt: z.int(),
  /** Steps of the schema, in order. */
  schema: z.array(z.string()),
  secrets: z.boolean(),
  files: z.boolean(),
})
export type Manifest = z.output<typeof manifestSchema>

export const summarySchema = z.object({
  /** Rows of each table. */
  rows: z.record(z.string(), z.int()),
  blobs: z.int(),
  /** Of all blobs. */
  bytes: z.int(),
  /** Hex SHA-256 over every earlier entry: its name, a line end, its size, a line end, its bytes. */
  sha256: z.string(),
})
export type Summary = z.output<typeof summarySchema>

export const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Where an entry belongs. */
export const rowsName = (table: string, number: number): string =>
  `rows/${table}/${String(number).padStart(8, '0')}.ndjson`
export const blobName = (key: string): string => `blobs/${key}`
export const tableOfEntry = (name: string): string | null =>
  /^rows\/([a-z_]{1,64})\/\d{8,}\.ndjson$/.exec(name)?.[1] ?? null
export const keyOfEntry = (name: string): string | null => /^blobs\/([a-z0-9]{32})$/.exec(name)?.[1] ?? null

/** What is wrong with a backup, in one sentence. */
export class BackupError extends Error {
  override name = 'BackupError'
  constructor(
    /** `damaged`: it is not what was written. `foreign`: none of ours. `newer`: of a version that knows more. */
    readonly problem: 'damaged' | 'foreign' | 'newer',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
