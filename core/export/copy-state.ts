/** Copies the instance state, so that the target continues as the same instance. */
import { CHAIN_END_KEY } from '../audit/audit-chain.js'
import { SETUP_CODE_ENDS, SETUP_CODE_HASH } from '../auth/setup-code.js'
import { CLOCK_KEY } from '../cleanup/scheduler.js'
import type { InstanceStateStore } from '../contracts/storage.js'
import { INSTANCE_KEY } from '../settings/instance-key.js'
import type { TableCopy } from './copy-rows.js'
import { LAST_BACKUP_KEY } from './last-backup.js'

/** All names but the progress of a copy, which belongs to the target. */
const COPIED_NAMES = [INSTANCE_KEY, SETUP_CODE_HASH, SETUP_CODE_ENDS, CLOCK_KEY, LAST_BACKUP_KEY, CHAIN_END_KEY]

/** Replaces the state of the target, then reads it back and compares. */
export async function copyState(from: InstanceStateStore, to: InstanceStateStore): Promise<TableCopy> {
  const result: TableCopy = { table: 'instance_state', from: 0, to: 0, isSame: true }
  for (const name of COPIED_NAMES) {
    const value = await from.get(name)
    if (value === null) await to.delete(name)
    else await to.set(name, value)
    const copied = await to.get(name)
    result.from += value === null ? 0 : 1
    result.to += copied === null ? 0 : 1
    result.isSame &&= copied === value
  }
  return result
}
