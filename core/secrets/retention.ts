/** The retention of ended secrets: of their receipts, and of their entries in the lists of their owners. */
import type { CurrentSettings } from '../settings/create-settings.js'

const DAY_MS = 24 * 60 * 60_000

type Retention = Pick<CurrentSettings, 'receipt_retention_days'>

/** In ms. */
export const retentionOf = ({ receipt_retention_days }: Retention): number => Number(receipt_retention_days) * DAY_MS

/** Whether the storage records the end of secrets that have an owner. */
export const recordsEnds = (settings: Retention): boolean => retentionOf(settings) > 0
