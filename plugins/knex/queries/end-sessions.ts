import type { Knex } from 'knex'

/** `SessionStore.endAll`. The user store also calls it in the transaction that changes the user. */
export const endSessions = (db: Knex, userId: string, except = ''): Promise<number> =>
  db('sessions').where({ user_id: userId }).whereNot('id', except).delete()
