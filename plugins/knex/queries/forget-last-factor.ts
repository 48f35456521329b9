import type { Knex } from 'knex'

/** Whether a user has a passkey or an authenticator app of any epoch. */
export async function hasFactor(tx: Knex, userId: string): Promise<boolean> {
  const own = (table: string) => tx(table).where({ user_id: userId }).first('user_id')
  return Boolean((await own('passkeys')) ?? (await own('authenticators')))
}

/** Call it after factors of a locked user were deleted. Deletes the recovery codes of a user without factors. */
export async function forgetLastFactor(tx: Knex.Transaction, userId: string): Promise<void> {
  if (await hasFactor(tx, userId)) return
  await tx('recovery_codes').where({ user_id: userId }).delete()
  await tx('users').where({ id: userId }).update({ second_factor: false })
}
