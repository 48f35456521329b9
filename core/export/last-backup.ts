/**
 * When the last backup was written. Kept in the instance state, which backups do not contain, so it is unknown in a
 * restored instance.
 */
import type { InstanceStateStore } from '../contracts/storage.js'
import type { EpochMs } from '../shared/epoch-ms.js'

export const LAST_BACKUP_KEY = 'last_backup'

/** Call it when the last byte is written. */
export const recordBackup = (state: InstanceStateStore, at: EpochMs): Promise<void> =>
  state.set(LAST_BACKUP_KEY, String(at))

/** Null: none yet. */
export async function readLastBackup(state: InstanceStateStore): Promise<EpochMs | null> {
  const value = await state.get(LAST_BACKUP_KEY)
  return value === null ? null : Number(value)
}
