import type { Knex } from 'knex'
import type { NamedRecipientStore } from '#core'
import { createWriteQueue } from '../batching/group-commit.js'
import type { WriteConnections } from '../connection/batch-transaction.js'
import { viewAsRecipient } from '../operations/view-as-recipient.js'

/** `batchSize`: maximum number of views in one transaction. */
export function createNamedRecipientStore(db: Knex, writers: WriteConnections, batchSize: number): NamedRecipientStore {
  const run = createWriteQueue(writers, batchSize)
  return {
    list: (secretId) =>
      db('named_recipients')
        .where({ secret_id: secretId })
        .orderBy('number')
        .select('number', { addressHash: 'address_hash' }, 'views'),
    setCode: async ({ secretId, number, codeHash, expiresAt }) =>
      (await db('named_recipients')
        .where({ secret_id: secretId, number })
        .update({ code_hash: codeHash, code_expires_at: expiresAt })) > 0,
    view: (input) => run({ write: viewAsRecipient, input }),
  }
}
