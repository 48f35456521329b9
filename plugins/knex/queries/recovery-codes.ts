import type { Knex } from 'knex'

/** Replaces the recovery codes of a user, who is locked. */
export async function insertRecoveryCodes(
  tx: Knex.Transaction,
  { userId, epoch }: { userId: string; epoch: number },
  hashes: string[],
): Promise<void> {
  await tx('recovery_codes').where({ user_id: userId }).delete()
  if (hashes.length > 0) await tx('recovery_codes').insert(hashes.map((hash) => ({ user_id: userId, hash, epoch })))
}
