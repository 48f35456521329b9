import type { Knex } from 'knex'
import type { RequestStore } from '#core'
import { createWriteQueue } from '../batching/group-commit.js'
import type { WriteConnections } from '../connection/batch-transaction.js'
import { closeRequest } from '../operations/close-request.js'
import { createRequest } from '../operations/create-request.js'
import { deleteExpiredRequests } from '../operations/delete-expired-requests.js'
import { submitToRequest } from '../operations/submit-to-request.js'
import { newestFirst } from '../queries/newest-first.js'
import { whereUnexpired } from '../queries/secret-conditions.js'
import { toListedRequest, toRequest, toSubmission } from '../rows/request-rows.js'
import type { TextMargin } from '../rows/secret-rows.js'

interface Options {
  /** Stored before every text; see Engine. */
  margin: TextMargin
  /** Maximum number of submissions in one transaction. */
  batchSize: number
  writers: WriteConnections
}

export function createRequestStore(db: Knex, { margin, batchSize, writers }: Options): RequestStore {
  const run = createWriteQueue(writers, batchSize)
  const submit = submitToRequest(db, margin)
  const selectLive = (queries: Knex, now: number) => queries('requests').where('requests.expires_at', '>', now)
  return {
    create: (input) => createRequest(db, input),

    async find(id, now) {
      const row = await selectLive(db, now).where({ id }).first()
      return row ? toRequest(row) : null
    },

    submit: (id, submission, now) => run({ write: submit, input: { id, submission, now } }),

    async listSubmissions(id, now) {
      const rows = await selectLive(db, now)
        .where('requests.id', id)
        .join('submissions', 'submissions.request_id', 'requests.id')
        .leftJoin('secrets', 'secrets.id', 'submissions.secret_id')
        .orderBy(['submissions.created_at', 'submissions.secret_id'])
        .select('submissions.*', { live_id: 'secrets.id', views: 'secrets.views' })
      return rows.map((row) => toSubmission(row, now))
    },

    async listByOwner(ownerId, { skip, take }, now) {
      const unopened = db('submissions')
        .join('secrets', 'secrets.id', 'submissions.secret_id')
        .where('submissions.request_id', db.ref('requests.id'))
        .where('secrets.views', 0)
      const rows = await selectLive(db, now)
        .where({ owner_id: ownerId })
        .orderBy(newestFirst('created_at'))
        .offset(skip)
        .limit(take)
        .select('requests.*', whereUnexpired(unopened, now).count().as('unopened'))
      return rows.map(toListedRequest)
    },

    close: (input) => closeRequest(db, input),

    deleteExpired: (now, limit, toEvents) => deleteExpiredRequests(db, { now, limit, toEvents }),
  }
}
