/** With any number of concurrent submitters, a request gets at most `maxSubmissions`. */
import type { Knex } from 'knex'
import type { NewSubmission, OutboxEvent, SubmitResult } from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import type { BatchableWrite } from '../batching/group-commit.js'
import type { Queries } from '../connection/batch-transaction.js'
import { attachFiles } from '../queries/secret-files.js'
import { toSubmissionRow } from '../rows/request-rows.js'
import type { TextMargin } from '../rows/secret-rows.js'
import { insertSecrets, recoverFromDuplicate } from './create-secret.js'

interface SubmitInput {
  /** Of the request. */
  id: string
  submission: NewSubmission
  now: EpochMs
}

interface CountedSubmission {
  input: SubmitInput
  events: OutboxEvent[]
}

/** Counts a submission, and stores its secret with text, idempotency record and files, all or nothing. */
export function submitToRequest(db: Knex, margin: TextMargin): BatchableWrite<SubmitInput, SubmitResult> {
  return {
    secretId: () => null,
    // Not the request: a batch may contain several submissions to one request.
    keys: ({ submission: { secret, record } }) => (record ? [secret.id, record.keyHash] : [secret.id]),
    byteLength: ({ submission }) => submission.secret.text.length,
    async runBatch(batch, inputs) {
      const counted = await countSubmissions(batch.tx, inputs)
      const secrets = counted.map(({ input: { submission, now }, events }) => {
        const { secret, record, files = [] } = submission
        return { secret, now, record, files, events }
      })
      if (secrets.length > 0) {
        await insertSecrets(batch, margin, secrets)
        await batch
          .tx('submissions')
          .insert(counted.map(({ input: { id, submission } }) => toSubmissionRow(id, submission)))
      }
      await attachFiles(batch.tx, secrets)
      const stored = new Set(counted.map(({ input }) => input))
      return inputs.map((input) => ({ outcome: stored.has(input) ? 'stored' : 'refused' }))
    },
    async recover(input, error) {
      const { secret, record } = input.submission
      const created = { table: 'secrets', id: secret.id } as const
      const response = await recoverFromDuplicate(db, { created, now: input.now, record }, error)
      return response === null ? null : { outcome: 'repeated', response }
    },
  }
}

/**
 * Returns the submissions whose request accepts them. Comes first in the transaction: each update locks a request, so
 * concurrent submissions to it are counted one at a time. Ordered by id, so transactions cannot deadlock.
 */
async function countSubmissions(tx: Queries, inputs: SubmitInput[]): Promise<CountedSubmission[]> {
  const counted: CountedSubmission[] = []
  const refusing = new Set<string>()
  for (const input of [...inputs].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (refusing.has(input.id)) continue
    const updated = await tx('requests')
      .where({ id: input.id })
      .where('expires_at', '>', input.now)
      .where('submissions', '<', tx.ref('max_submissions'))
      .update({ submissions: tx.raw('submissions + 1') })
    if (updated === 1) counted.push({ input, events: await createEvents(tx, input) })
    else refusing.add(input.id)
  }
  return counted
}

/** Reads the number of submissions, which the transaction has just counted, only if an event needs it. */
async function createEvents(tx: Queries, { id, submission }: SubmitInput): Promise<OutboxEvent[]> {
  const { events = [], toEvents } = submission
  if (!toEvents) return events
  const { submissions } = await tx('requests').where({ id }).first('submissions')
  return [...events, ...toEvents(submissions)]
}
