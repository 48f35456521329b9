import type { Knex } from 'knex'
import type { UserStore } from '#core'
import { toUser, toUserRow } from './rows.js'

export function userStore(db: Knex): UserStore {
  return {
    async create(user) {
      await db('users').insert(toUserRow(user))
    },
    async find(username) {
      const row = await db('users').where({ username }).first()
      return row ? toUser(row) : null
    },
  }
}
