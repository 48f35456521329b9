/** Reads secrets without their text. Calls that are queued at the same moment share a query. */
import type { Knex } from 'knex'
import { isUsedUp, type SecretMeta } from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import { createBatchQueue } from '../batching/batch-queue.js'
import { runAlone } from '../connection/batch-transaction.js'
import { type BatchStatements, createBatchStatements } from '../queries/batch-statements.js'
import { matchesClaims } from '../queries/secret-conditions.js'
import { toSecretMeta } from '../rows/secret-rows.js'
import type { Row } from '../rows/tables.js'

interface PeekInput {
  id: string
  now: EpochMs
  claimHash: string | undefined
}

/** `batchSize`: maximum number of calls in one query. */
export function createPeekQueue(db: Knex, batchSize: number): (input: PeekInput) => Promise<SecretMeta | null> {
  const statements = createBatchStatements(db)
  const read = (inputs: PeekInput[]) => peekSecrets(db, statements, inputs)
  return createBatchQueue<PeekInput, SecretMeta | null>({
    batchSize,
    takeBatch: (queue) => queue.splice(0, batchSize),
    // One failing call must not fail the others.
    run: (inputs) => (inputs.length === 1 ? read(inputs) : read(inputs).catch(() => null)),
  })
}

async function peekSecrets(db: Knex, statements: BatchStatements, inputs: PeekInput[]): Promise<(SecretMeta | null)[]> {
  const rows = (await runAlone(db, statements.read([...new Set(inputs.map(({ id }) => id))]))) as Row[]
  const secrets = new Map(rows.map((row) => [row.id, toSecretMeta(row)]))
  const unexpired = inputs.map(({ id, now }) => {
    const secret = secrets.get(id)
    return secret && secret.expiresAt > now ? secret : null
  })
  // A used-up secret exists only for its open claims.
  const claims = inputs.flatMap(({ id, claimHash }, index) => {
    const secret = unexpired[index]
    return claimHash !== undefined && secret && isUsedUp(secret) ? [{ id, claimHash }] : []
  })
  const ends = await readClaimEnds(db, claims)
  return unexpired.map((secret, index) => {
    if (!secret || !isUsedUp(secret)) return secret
    const { claimHash = '', now } = inputs[index] as PeekInput
    return (ends.get(`${secret.id} ${claimHash}`) ?? 0) > now ? secret : null
  })
}

/** Ends of the claims that are not acknowledged, by `{secret id} {claim hash}`. */
async function readClaimEnds(db: Knex, claims: { id: string; claimHash: string }[]): Promise<Map<string, EpochMs>> {
  if (claims.length === 0) return new Map()
  const rows: Row[] = await db('claims').where('acked', false).where(matchesClaims(claims))
  return new Map(rows.map((row) => [`${row.secret_id} ${row.claim_hash}`, Number(row.expires_at)]))
}
