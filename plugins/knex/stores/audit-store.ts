import type { Knex } from 'knex'
import { type AuditStore, chainEntries } from '#core'
import { lockChainEnd, readChainEnd, setChainEnd } from '../queries/audit-chain-end.js'
import { insertInChunks } from '../queries/insert-in-chunks.js'
import { newestFirst } from '../queries/newest-first.js'
import { toAuditEntry, toAuditRow, toChainedEntry } from '../rows/account-rows.js'

export function createAuditStore(db: Knex): AuditStore {
  return {
    append: (entries) =>
      db.transaction(async (tx) => {
        const chained = chainEntries(await lockChainEnd(tx), entries)
        await insertInChunks(chained.map(toAuditRow), (rows) => tx('audit').insert(rows))
        const last = chained.at(-1)
        if (last) await setChainEnd(tx, last)
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
        .orderBy(newestFirst('at'))
        .offset(skip)
        .limit(take)
      return rows.map(toAuditEntry)
    },

    async deleteBefore(before, limit) {
      // Entries of several processes are nearly in the order of their times.
      // PostgreSQL uses the index of the positions only with a condition about them.
      const kept = await db('audit')
        .where('position', '>', 0)
        .where('at', '>=', before)
        .orderBy('position')
        .first('position')
      const old = db('audit').where('at', '<', before)
      if (kept) old.where('position', '<', kept.position)
      const ids: string[] = await old.orderBy(['position', 'id']).limit(limit).pluck('id')
      return ids.length === 0 ? 0 : db('audit').whereIn('id', ids).delete()
    },

    async readChain(after, limit) {
      const rows = await db('audit').where('position', '>', after).orderBy(['position', 'id']).limit(limit)
      return rows.map(toChainedEntry)
    },

    async chainState() {
      const [end, row] = await Promise.all([readChainEnd(db), db('audit').count({ rows: '*' }).first()])
      return { end: end.position === 0 ? null : end, entries: Number(row?.rows) }
    },
  }
}
