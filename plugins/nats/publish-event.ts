/** An event as a CloudEvent in a stream. */
import { JetStreamApiError, jetstream, type PubAck } from '@nats-io/jetstream'
import { errors, headers, type NatsConnection } from '@nats-io/transport-node'
import type { DeliveryOutcome, DurableEvent } from '#core'

/** Time limit in ms for the acknowledgement of the stream. */
const ACK_MS = 10_000

export interface Publication {
  subject: string
  /** Name of the stream that has to store the event; empty: any. */
  stream: string
  /** URL of the instance: the `source` of the CloudEvent. */
  source: string
}

/**
 * Publishes an event, and resolves when the stream has stored it. The stream recognizes a repeated event by its id,
 * within its duplicate window.
 */
export function publishEvent(
  connection: NatsConnection,
  event: DurableEvent,
  { subject, stream, source }: Publication,
): Promise<PubAck> {
  const { id, type, at, data } = event
  const time = new Date(at).toISOString()
  const cloudEvent = { specversion: '1.0', id, source, type, time, datacontenttype: 'application/json', data }
  const fields = headers()
  fields.set('Content-Type', 'application/cloudevents+json')
  return jetstream(connection).publish(`${subject}.${type}`, JSON.stringify(cloudEvent), {
    headers: fields,
    msgID: id,
    timeout: ACK_MS,
    ...(stream !== '' && { expect: { streamName: stream } }),
  })
}

export function describeFailure(error: unknown): DeliveryOutcome {
  const failed = (result: string): DeliveryOutcome => ({ isDelivered: false, result })
  if (!(error instanceof Error)) return failed('unknown')
  if (isRefusal(error)) return failed('credentials refused')
  if (isUnheard(error)) return failed('no stream stores this subject, or JetStream is off')
  if (error instanceof JetStreamApiError) return failed(`refused by the stream: ${error.message}`.slice(0, 255))
  if (error.cause instanceof errors.PermissionViolationError)
    return failed('publishing to this subject is not permitted')
  if (error instanceof errors.TimeoutError) return failed('timeout')
  if (error instanceof errors.ConnectionError || error instanceof errors.InvalidArgumentError)
    return failed(error.message.slice(0, 255))
  return failed('code' in error && typeof error.code === 'string' ? error.code : error.name)
}

/** Whether the server refuses the credentials. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError

/** Nothing listens to the subject. The client then says that JetStream is off, also when only the stream is missing. */
const isUnheard = ({ cause }: Error): boolean => cause instanceof errors.RequestError && cause.isNoResponders()
