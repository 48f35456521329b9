import type { Knex } from 'knex'

/**
 * Deletes all events of the webhooks that a query of the table `webhooks` selects. Call `moveWebhookEvents` before the
 * transaction. Events of changes that commit after it stay: `UserWebhookStore.deleteOrphanedEvents` deletes them later.
 */
export async function deleteWebhookEvents(tx: Knex, webhooks: Knex.QueryBuilder): Promise<void> {
  const subscribers: string[] = await webhooks.pluck('subscriber')
  if (subscribers.length > 0) await tx('outbox').whereIn('subscriber', subscribers).delete()
}
