import {
  type EndedSecret,
  type EndedSecretFilter,
  type EndedSecretStore,
  isUsedUp,
  type ReceiptOutcome,
  type SecretMeta,
  viewsLeft,
} from '#core'
import { deleteMatching, type Tables } from './tables.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createEndedSecretStore(tables: Tables): EndedSecretStore {
  const { endedSecrets } = tables
  return {
    list: async (filter, { skip, take }) =>
      [...endedSecrets.values(), ...listExpired(tables, filter.until)]
        .filter((ended) => matches(ended, filter))
        .sort((a, b) => b.endedAt - a.endedAt || (a.id < b.id ? 1 : -1))
        .slice(skip, skip + take)
        .map((ended) => ({ ...ended })),
    deleteEnded: async (before, limit) => deleteMatching(endedSecrets, ({ endedAt }) => endedAt <= before, limit),
  }
}

/** Records the end of a secret before its views were used up. `at`: epoch ms. */
export function recordEnd(tables: Tables, secret: SecretMeta, outcome: ReceiptOutcome, at: number): void {
  if (!isUsedUp(secret)) addEntry(tables, secret, outcome, at)
}

/** Records a view if it was the last one. `secret`: as it is after the view. */
export function recordLastView(tables: Tables, secret: SecretMeta, at: number): void {
  if (isUsedUp(secret)) addEntry(tables, secret, 'last-view', at)
}

function addEntry({ endedSecrets }: Tables, secret: SecretMeta, outcome: ReceiptOutcome, at: number): void {
  const ended = toEnded(secret, outcome, at)
  if (ended) endedSecrets.set(ended.id, ended)
}

/** Null for a secret without an owner. */
function toEnded(secret: SecretMeta, outcome: ReceiptOutcome, endedAt: number): EndedSecret | null {
  const { id, ownerId, kind, createdAt, views, maxViews, passwordHash, files } = secret
  if (ownerId === null) return null
  const limit = viewsLeft(secret) === null ? null : maxViews
  return {
    ...{ id, ownerId, kind, outcome, createdAt, endedAt },
    ...{ views, maxViews: limit, hasPassword: passwordHash !== null, files },
  }
}

/** Expired secrets that are not deleted yet. */
const listExpired = ({ secrets }: Tables, now: number): EndedSecret[] =>
  [...secrets.values()].flatMap(({ secret }) =>
    secret.expiresAt <= now && !isUsedUp(secret) ? (toEnded(secret, 'expired', secret.expiresAt) ?? []) : [],
  )

function matches(ended: EndedSecret, { ownerId, outcome, since, until, after }: EndedSecretFilter): boolean {
  const { id, endedAt } = ended
  if (ended.ownerId !== ownerId || (outcome !== undefined && ended.outcome !== outcome)) return false
  if (endedAt <= since || endedAt > until) return false
  return !after || endedAt < after.endedAt || (endedAt === after.endedAt && id < after.id)
}
