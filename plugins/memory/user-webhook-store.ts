import type { UserWebhook, UserWebhookStore } from '#core'
import { assertFree, assertSessionExists, findUserOrThrow, type Tables } from './tables.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createUserWebhookStore(tables: Tables): UserWebhookStore {
  const { webhooks } = tables
  return {
    async create(webhook, max, sessionId = null) {
      findUserOrThrow(tables, webhook.userId)
      assertSessionExists(tables, webhook.userId, sessionId)
      assertFree(webhooks.has(webhook.id) || listWebhooks(tables, webhook.userId).length >= max)
      webhooks.set(webhook.id, copyWebhook(webhook))
    },
    list: async (userId) =>
      listWebhooks(tables, userId)
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
        .map(copyWebhook),
    async get(id) {
      const webhook = webhooks.get(id)
      return webhook ? copyWebhook(webhook) : null
    },
    async update(id, userId, changes) {
      const webhook = webhooks.get(id)
      if (webhook?.userId !== userId) return null
      const given = Object.entries(changes).filter(([, value]) => value !== undefined)
      Object.assign(webhook, Object.fromEntries(given))
      return copyWebhook(webhook)
    },
    remove: async (id, userId) => webhooks.get(id)?.userId === userId && deleteWebhook(tables, id),
    listTargets: async () =>
      [...webhooks.values()].map(({ id, userId, types }) => ({
        ...{ id, userId, types: [...types] },
        waiting: listPending(tables, id).length,
      })),
    listDue: async (now) =>
      [...webhooks.keys()].filter((id) => listPending(tables, id).some(({ nextAt }) => nextAt <= now)),
    async deleteOrphanedEvents(limit) {
      const orphaned = tables.outbox.filter(
        ({ subscriber, state }) =>
          state === 'pending' && subscriber.startsWith('user:') && !webhooks.has(subscriber.slice('user:'.length)),
      )
      deleteEvents(tables, orphaned.slice(0, limit))
      return Math.min(orphaned.length, limit)
    },
  }
}

export const listWebhooks = ({ webhooks }: Tables, userId: string): UserWebhook[] =>
  [...webhooks.values()].filter((webhook) => webhook.userId === userId)

/** Deletes a webhook with its events. */
export function deleteWebhook(tables: Tables, id: string): boolean {
  deleteEvents(tables, listEvents(tables, id))
  return tables.webhooks.delete(id)
}

const listEvents = ({ outbox }: Tables, id: string) => outbox.filter(({ subscriber }) => subscriber === `user:${id}`)

const listPending = (tables: Tables, id: string) => listEvents(tables, id).filter(({ state }) => state === 'pending')

function deleteEvents({ outbox }: Tables, entries: Tables['outbox']): void {
  for (const entry of entries) outbox.splice(outbox.indexOf(entry), 1)
}

const copyWebhook = (webhook: UserWebhook): UserWebhook => ({ ...webhook, types: [...webhook.types] })
