/** Creates the cleanup of an instance, and defines what it deletes. */

import type { App } from '../app.js'
import type { Emit } from '../contracts/events.js'
import type { LimitStore } from '../contracts/limits.js'
import { createEvents, isWanted } from '../events/durable-events.js'
import { deleteLateCodes } from '../events/short-lived-events.js'
import type { Clock } from '../lib/clock.js'
import { expiredRequestFacts } from '../requests/request-facts.js'
import { deleteEndedSecrets } from '../secrets/ended-secrets.js'
import { deleteEndedReceipts } from '../secrets/receipts.js'
import { recordExpired } from '../secrets/record-secret-event.js'
import { recordsEnds } from '../secrets/retention.js'
import { expiredFacts } from '../secrets/secret-facts.js'
import type { DeleteBatch } from './expired-rows.js'
import { type Cleanup, startCleanup } from './scheduler.js'

const DAY_MS = 24 * 60 * 60_000
/** Days until delivered, skipped and dead events are deleted. */
const EVENT_DAYS = { delivered: 7, skipped: 7, dead: 30 }

interface Parts {
  /** Called when work runs, not before. */
  getApp(): App
  storage: App['storage']
  files: App['files']
  config: App['config']
  log: App['log']
  /** Rate-limit counters; null: no limits. */
  counters: LimitStore | null
  hasUserWebhooks: boolean
  emit: Emit
  clock: Clock
}

/** Starts the cleanup. */
export function createCleanup(parts: Parts): Cleanup {
  const { getApp, storage, files, config, log, emit, clock } = parts
  return startCleanup({
    storage,
    files,
    emit,
    log,
    clock,
    recordExpired: (secret) => recordExpired(getApp(), secret),
    toExpiredEvents: (secret) => createEvents(getApp(), expiredFacts(secret)),
    recordsEnds: async () => recordsEnds(await getApp().settings.current()),
    rows: listExpiredRows(parts),
    everyMs: config.cleanupSeconds * 1000,
  })
}

/** Rows that expire by time, and events that another process stored for a webhook that was just deleted. */
function listExpiredRows({ getApp, storage, config, counters, hasUserWebhooks }: Parts): DeleteBatch[] {
  const { sessions, tokens, oneTimeLinks, deviceLogins, audit, outbox, limits, userWebhooks } = storage
  const deleteOrphans: DeleteBatch = (_now, limit) => userWebhooks.deleteOrphanedEvents(limit)
  return [
    sessions.deleteExpired,
    tokens.deleteExpired,
    oneTimeLinks.deleteExpired,
    deviceLogins.deleteExpired,
    limits.deleteExpired,
    ...(counters && counters !== limits ? [counters.deleteExpired] : []),
    (now, limit) => deleteExpiredRequests(getApp(), now, limit),
    ...(hasUserWebhooks ? [deleteOrphans] : []),
    (now, limit) => audit.deleteBefore(now - config.auditDays * DAY_MS, limit),
    ...(['delivered', 'skipped', 'dead'] as const).map(
      (state): DeleteBatch =>
        (now, limit) =>
          outbox.purge({ state, before: now - EVENT_DAYS[state] * DAY_MS }, limit),
    ),
    (now, limit) => deleteLateCodes(outbox, now, limit),
    (_now, limit) => deleteEndedReceipts(getApp(), limit),
    (_now, limit) => deleteEndedSecrets(getApp(), limit),
  ]
}

function deleteExpiredRequests(app: App, now: number, limit: number): Promise<number> {
  return app.storage.requests.deleteExpired(
    now,
    limit,
    isWanted(app, 'request.expired') ? (request) => createEvents(app, expiredRequestFacts(request)) : undefined,
  )
}
