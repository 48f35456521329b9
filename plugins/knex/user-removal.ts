import type { Knex } from 'knex'
import { endFiles } from './attachments.js'
import { keepAnAdmin, lockRoles } from './roles.js'

/** Secrets that one statement deletes: however many somebody has, no statement takes too long. */
const AT_ONCE = 500

/** `UserStore.remove`. Whatever refers to the user goes with the row. */
export function removeUser(db: Knex, id: string, now: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockRoles(tx)
    const user = tx('users').where({ id })
    // Nobody adds a secret to a user who is locked like this, so that those found here are all of them.
    if (!(await user.clone().forUpdate().first('id'))) return false
    await keepAnAdmin(tx, id)
    const secrets: string[] = await tx('secrets').where({ owner_id: id }).pluck('id')
    for (let from = 0; from < secrets.length; from += AT_ONCE) {
      const some = secrets.slice(from, from + AT_ONCE)
      await tx('secrets').whereIn('id', some).delete()
      await endFiles(tx, some, now)
    }
    return (await user.delete()) === 1
  })
}
