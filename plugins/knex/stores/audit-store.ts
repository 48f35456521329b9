import type { Knex } from 'knex'
import type { AuditStore } from '#core'
import { toAuditEntry, toAuditRow } from '../rows/account-rows.js'

/** SQLite accepts at most 500 rows in one insert. */
const CHUNK_SIZE = 200

export function createAuditStore(db: Knex): AuditStore {
  return {
    append: (entries) =>
      db.transaction(async (tx) => {
        for (let from = 0; from < entries.length; from += CHUNK_SIZE) {
          await tx('audit').insert(entries.slice(from, from + CHUNK_SIZE).map(toAuditRow))
        }
      }),

    async list({ action, actor, subject, since, until }, { skip, take }) {
      const rows = await db('audit')
        .where((query) => {
          for (const [column, value] of Object.entries({ action, actor, subject })) {
            if (value !== undefined) query.where(column, value)
          }
          if (since !== undefined) query.where('at', '>=', since)
          if (until !== undefined) query.where('at', '<', until)
        })
        .orderBy([
          { column: 'at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .offset(skip)
        .limit(take)
      return rows.map(toAuditEntry)
    },

    async deleteBefore(before, limit) {
      const old = db('audit').where('at', '<', before)
      const ids: string[] = await old.clone().orderBy('at').limit(limit).pluck('id')
      return ids.length === 0 ? 0 : db('audit').whereIn('id', ids).delete()
    },
  }
}
