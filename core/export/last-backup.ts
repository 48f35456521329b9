/**
 * When the last backup was written. Kept in the instance state, which no backup contains: a restored instance has none.
 */
import type { InstanceStateStore } from '../contracts/storage.js'

export const LAST_BACKUP_KEY = 'last_backup'

/** `at`: epoch ms. Call it when the last byte is written. */
export const recordBackup = (state: InstanceStateStore, at: number): Promise<void> =>
  state.set(LAST_BACKUP_KEY, String(at))

/** Epoch ms; null: none yet. */
export async function readLastBackup(state: InstanceStateStore): Promise<number | null> {
  const value = await state.get(LAST_BACKUP_KEY)
  return value === null ? null : Number(value)
}
