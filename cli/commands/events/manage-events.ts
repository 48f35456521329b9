/** `mayfly events`: the delivery log of durable events. */
import type { DeliveryState, OutboxFilter } from '#core'
import { pingChannel } from '#core/runtime'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { withLocalApp } from '../../instance/local-app.js'
import { CliError } from '../../lib/cli-error.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { parseDuration } from '../../output/duration.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatCount, toSingleLine } from '../../output/sanitize.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { type PageFlags, parsePage } from '../parse-page.js'

interface FilterFlags {
  subscriber?: string
  state?: DeliveryState
  olderThan?: string
}

export type EventsFlags = FilterFlags & InstanceFlags & GlobalFlags
export type ListEventsFlags = EventsFlags & ListFlags & PageFlags

const COLUMNS = ['at', 'type', 'subject', 'subscriber', 'state', 'attempts', 'result', 'id']
const BATCH = 500

export async function listEvents(flags: ListEventsFlags, io: Io): Promise<void> {
  const page = parsePage(flags)
  await withLocalApp(flags, io, async ({ storage }) => {
    const entries = await storage.outbox.list(toFilter(flags), page)
    const rows = entries.map(({ createdAt, nextAt, endedAt, data, ...entry }) => ({
      ...entry,
      at: formatTime(createdAt),
      next_at: entry.state === 'pending' ? formatTime(nextAt) : null,
      ended_at: formatTime(endedAt),
      data: JSON.parse(data),
    }))
    await io.write(formatList(rows, COLUMNS, flags, io))
  })
}

/** Without an id: events that were given up, unless the flags name another state. */
export async function redeliverEvents(id: string | undefined, flags: EventsFlags, io: Io): Promise<void> {
  const filter = toFilter({ ...(id === undefined && { state: 'dead' as const }), ...flags }, id)
  await withLocalApp(flags, io, async ({ storage }) => {
    const count = await storage.outbox.redeliver(filter, Date.now())
    if (id !== undefined && count === 0) throw new CliError('gone', 'no event has this id')
    await printCount(count, 'queued', flags, io)
  })
}

/** Throws CliError `usage` without a filter. */
export async function purgeEvents(flags: EventsFlags, io: Io): Promise<void> {
  const filter = toFilter(flags)
  if (Object.keys(filter).length === 0) {
    throw new CliError('usage', 'missing --state, --subscriber or --older-than', 'add --state dead')
  }
  await withLocalApp(flags, io, async ({ storage }) => {
    let count = 0
    for (let deleted = BATCH; deleted === BATCH; count += deleted) deleted = await storage.outbox.purge(filter, BATCH)
    await printCount(count, 'deleted', flags, io)
  })
}

/** Throws CliError `usage` for an unknown subscriber, `unavailable` if it did not accept the event. */
export async function pingSubscriber(name: string | undefined, flags: EventsFlags, io: Io): Promise<void> {
  if (name === undefined) throw new CliError('usage', 'missing argument: subscriber')
  await withLocalApp(flags, io, async (app) => {
    const subscribers = app.channels.subscribers.map((each) => each.name)
    if (!subscribers.includes(name)) {
      const known = subscribers.join(', ') || 'none'
      throw new CliError('usage', 'no subscriber has this name', `configured subscribers: ${known}`)
    }
    const { isDelivered, result } = await pingChannel(app, name)
    const text = toSingleLine(result)
    if (!isDelivered) throw new CliError('unavailable', `the subscriber did not accept the event: ${text}`)
    await io.writeResult(flags, { result: text }, `${text}\n`)
  })
}

function toFilter({ subscriber, state, olderThan }: FilterFlags, id?: string): OutboxFilter {
  const before = olderThan === undefined ? undefined : Date.now() - parseDuration('--older-than', olderThan) * 1000
  return omitUndefined({ id, subscriber, state, before })
}

async function printCount(count: number, verb: string, { json }: GlobalFlags, io: Io): Promise<void> {
  if (json) return io.writeJson({ [verb]: count })
  io.note(`${verb} ${formatCount(count, 'event')}`)
}
