import { expect, test } from 'vitest'
import type { UserWebhookTarget } from '../contracts/user-webhooks.js'
import { noLog } from '../lib/log.js'
import { createUserWebhookIndex } from './user-webhook-index.js'

test('a read that ends after a later read does not restore a deleted webhook', async () => {
  const reads: ((targets: UserWebhookTarget[]) => void)[] = []
  const store = { listTargets: () => new Promise<UserWebhookTarget[]>((resolve) => void reads.push(resolve)) }
  const index = createUserWebhookIndex({ store, share: () => {}, log: noLog, now: Date.now })
  const [early, late] = [index.reload(), index.reload()]
  reads[1]?.([])
  await late
  reads[0]?.([{ id: 'ä', userId: 'zoë', types: [], waiting: 0 }])
  await early
  expect(index.isEmpty()).toBe(true)
  const next = index.reload()
  reads[2]?.([{ id: 'ö', userId: 'zoë', types: [], waiting: 0 }])
  await next
  expect(index.isWantedBy('zoë', 'secret.viewed')).toBe(true)
  index.stop()
})
