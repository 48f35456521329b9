/** `mayfly webhook`: the caller's own webhooks. */
import type { CreatedWebhook, CreateWebhook, Webhook } from '#shared/api'
import { createWebhookClient } from '#shared/client/webhook-client'
import { connectSignedIn, type ServerFlags } from '../../client/connect.js'
import { CliError } from '../../lib/cli-error.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { toSingleLine } from '../../output/sanitize.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { type PageFlags, parsePage } from '../parse-page.js'

export type WebhookFlags = ServerFlags & GlobalFlags
export type ListWebhooksFlags = WebhookFlags & ListFlags
export type ListDeliveriesFlags = WebhookFlags & ListFlags & PageFlags

export interface AddWebhookFlags extends WebhookFlags {
  name?: string
  events?: string
}

export interface RedeliverFlags extends WebhookFlags {
  delivery?: string
}

const COLUMNS = ['id', 'name', 'url', 'events', 'state', 'failing_since', 'created_at']
const DELIVERY_COLUMNS = ['created_at', 'type', 'subject', 'state', 'attempts', 'result', 'id']

export async function listWebhooks(flags: ListWebhooksFlags, io: Io): Promise<void> {
  const webhooks = await (await connect(flags, io)).list()
  await io.write(formatList(webhooks.map(toRow), COLUMNS, flags, io))
}

/** Prints the signing secret. Throws CliError `usage` without a URL. */
export async function addWebhook(url: string | undefined, flags: AddWebhookFlags, io: Io): Promise<void> {
  if (url === undefined) throw new CliError('usage', 'missing argument: url')
  const { name = hostOf(url), events = '' } = flags
  const types = events.split(',').flatMap((type) => type.trim() || [])
  const created = await (await connect(flags, io)).create({ name, url, events: types as CreateWebhook['events'] })
  io.note(`webhook ${created.id} created; give its signing secret to the receiver`)
  await printSecret(created, flags, io)
}

/** Prints the new signing secret. */
export async function rotateSecret(word: string | undefined, flags: WebhookFlags, io: Io): Promise<void> {
  const rotated = await (await connect(flags, io)).rotate(requireId(word))
  io.note(`the old signing secret also signs until ${formatTime(rotated.previousSecretUntil ?? rotated.createdAt)}`)
  await printSecret(rotated, flags, io)
}

/** Asks on a terminal only. */
export async function removeWebhook(word: string | undefined, flags: WebhookFlags, io: Io): Promise<void> {
  const id = requireId(word)
  const client = await connect(flags, io)
  const refusal = new CliError('interrupted', 'not removed')
  await io.requireConfirmation('Its waiting events are deleted. Remove the webhook?', true, flags, refusal)
  await client.remove(id)
  if (flags.json) await io.writeJson({ id, removed: true })
  io.note('removed')
}

/** Throws CliError `unavailable` if the receiver did not accept the event. */
export async function pingWebhook(word: string | undefined, flags: WebhookFlags, io: Io): Promise<void> {
  const { delivered, result } = await (await connect(flags, io)).ping(requireId(word))
  const text = toSingleLine(result)
  if (!delivered) throw new CliError('unavailable', `the receiver did not accept the event: ${text}`)
  await io.writeResult(flags, { result: text }, `${text}\n`)
}

export async function listDeliveries(word: string | undefined, flags: ListDeliveriesFlags, io: Io): Promise<void> {
  const [id, page] = [requireId(word), parsePage(flags)]
  const deliveries = await (await connect(flags, io)).deliveries(id, page)
  const rows = deliveries.map(({ createdAt, nextAt, endedAt, ...delivery }) => ({
    ...delivery,
    created_at: formatTime(createdAt),
    next_at: formatTime(nextAt),
    ended_at: formatTime(endedAt),
  }))
  await io.write(formatList(rows, DELIVERY_COLUMNS, flags, io))
}

/** Throws CliError `usage` without a delivery. */
export async function redeliverToWebhook(word: string | undefined, flags: RedeliverFlags, io: Io): Promise<void> {
  const [id, { delivery }] = [requireId(word), flags]
  if (delivery === undefined) {
    throw new CliError('usage', 'missing --delivery', 'mayfly webhook deliveries lists their ids')
  }
  await (await connect(flags, io)).redeliver(id, delivery)
  if (flags.json) await io.writeJson({ id, delivery, queued: true })
  io.note('queued')
}

const connect = async (flags: WebhookFlags, io: Io) => createWebhookClient((await connectSignedIn(flags, io)).options)

function requireId(word: string | undefined): string {
  if (word === undefined) throw new CliError('usage', 'missing argument: id', 'mayfly webhook list shows the ids')
  return word
}

/** Throws CliError `usage` for an invalid URL. */
function hostOf(url: string): string {
  if (!URL.canParse(url))
    throw new CliError('usage', 'not a URL', 'pass an https URL, such as https://hooks.example.org')
  return new URL(url).host.slice(0, 64)
}

async function printSecret(webhook: CreatedWebhook, { json }: WebhookFlags, io: Io): Promise<void> {
  await io.writeResult({ json }, { ...toRow(webhook), secret: webhook.secret }, `${webhook.secret}\n`)
}

const toRow = ({ id, name, url, events, state, failingSince, createdAt }: Webhook) => ({
  id,
  name,
  url,
  events: events.join(',') || 'all',
  state,
  failing_since: formatTime(failingSince),
  created_at: formatTime(createdAt),
})
