import type { Knex } from 'knex'

/** Deletes all events of the webhooks that a query of the table `webhooks` selects. */
export async function deleteWebhookEvents(tx: Knex, webhooks: Knex.QueryBuilder): Promise<void> {
  const subscribers: string[] = await webhooks.pluck('subscriber')
  if (subscribers.length > 0) await tx('outbox').whereIn('subscriber', subscribers).delete()
}
