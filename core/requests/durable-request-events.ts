/** Durable events of secret requests. Each is empty unless a subscriber wants it. */
import type { OutboxEvent } from '../contracts/outbox.js'
import type { SecretRequest } from '../contracts/requests.js'
import type { Secret, SecretMeta } from '../contracts/storage.js'
import type { EventService } from '../events/event-service.js'
import { burnedEvents } from '../secrets/durable-secret-events.js'

type Events = Pick<EventService, 'create' | 'isWanted'>

const subjectOf = (requestId: string): string => `request:${requestId}`

const commonData = ({ id: requestId, ownerId, notify }: SecretRequest) => ({ requestId, ownerId, notify })

export function requestCreatedEvents(events: Events, request: SecretRequest): OutboxEvent[] {
  const { expiresAt, maxSubmissions } = request
  return events.create('request.created', subjectOf(request.id), {
    ...commonData(request),
    ...{ expiresAt, maxSubmissions },
  })
}

/** Events of a counted submission, from the number of submissions so far; undefined if no subscriber wants them. */
export function toSubmittedEvents(
  events: Events,
  request: SecretRequest,
  { id: secretId, files }: Secret,
): ((submissions: number) => OutboxEvent[]) | undefined {
  if (!events.isWanted('request.submitted', 'request.fulfilled')) return undefined
  return (submissions) => {
    const [subject, common] = [subjectOf(request.id), { ...commonData(request), submissions }]
    const submissionsLeft = request.maxSubmissions - submissions
    const submitted = events.create('request.submitted', subject, { ...common, secretId, submissionsLeft, files })
    return submissionsLeft > 0 ? submitted : [...submitted, ...events.create('request.fulfilled', subject, common)]
  }
}

/** Events of an expired request, if it had not all its submissions; undefined if no subscriber wants them. */
export function toExpiredRequestEvents(events: Events): ((request: SecretRequest) => OutboxEvent[]) | undefined {
  if (!events.isWanted('request.expired')) return undefined
  return (request) => {
    const { submissions, maxSubmissions } = request
    const submissionsLeft = maxSubmissions - submissions
    if (submissionsLeft <= 0) return []
    const data = { ...commonData(request), submissions, submissionsLeft }
    return events.create('request.expired', subjectOf(request.id), data)
  }
}

/** Events of a closed request and of the submissions that it burns; undefined if no subscriber wants them. */
export function toClosedEvents(
  events: Events,
  request: SecretRequest,
): ((burned: SecretMeta[]) => OutboxEvent[]) | undefined {
  if (!events.isWanted('request.closed', 'secret.burned')) return undefined
  return (burned) => [
    ...burned.flatMap((secret) => burnedEvents(events, secret)),
    ...events.create('request.closed', subjectOf(request.id), { ...commonData(request), burned: burned.length }),
  ]
}
