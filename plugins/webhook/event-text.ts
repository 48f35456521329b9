/** Events as sentences, for people who read them in a chat. With ids, times and counts, as in the event itself. */
import type { DurableEvent, DurableEvents, DurableEventType } from '#core'
import type { EpochMs } from '#shared/epoch-ms'

const SENTENCES: { [Type in DurableEventType]: (data: DurableEvents[Type]) => string } = {
  'secret.created': ({ secretId, kind, files, expiresAt }) =>
    `Secret ${secretId} (${kind}${files > 0 ? `, ${count(files, 'file')}` : ''}) was created. It expires ${time(expiresAt)}.`,
  'secret.viewed': ({ secretId, viewsLeft, recipient }) =>
    `Secret ${secretId} was opened${recipient === null ? '' : ` by recipient ${recipient}`}.${viewsLeft === null ? '' : ` ${count(viewsLeft, 'view')} left.`}`,
  'secret.burned': ({ secretId, reason, views }) =>
    reason === 'last-view'
      ? `Secret ${secretId} is gone after its last view.`
      : `Secret ${secretId} was burned after ${count(views, 'view')}.`,
  'secret.expired': ({ secretId, views }) =>
    `Secret ${secretId} expired ${views === 0 ? 'unopened' : `after ${count(views, 'view')}`}.`,
  'secret.password_wrong': ({ secretId, attemptsLeft }) =>
    `Someone entered a wrong password for secret ${secretId}.${attemptsLeft === null ? '' : ` ${count(attemptsLeft, 'attempt')} left.`}`,
  'secret.code_requested': ({ secretId, recipient }) =>
    `Recipient ${recipient} of secret ${secretId} requested a code.`,
  'secret.code_wrong': ({ secretId, attemptsLeft }) =>
    `Someone entered a wrong code for secret ${secretId}. ${count(attemptsLeft, 'attempt')} left.`,
  'secret.locked': ({ secretId, lockedUntil }) =>
    `Secret ${secretId} is locked until ${time(lockedUntil)}, after too many wrong passwords or codes.`,
  'secret.address_refused': ({ secretId }) =>
    `Someone with the link of secret ${secretId} has an address that it does not allow.`,
  'request.created': ({ requestId, maxSubmissions, expiresAt }) =>
    `Request ${requestId} for ${count(maxSubmissions, 'submission')} was created. It expires ${time(expiresAt)}.`,
  'request.submitted': ({ requestId, submissionsLeft }) =>
    `Request ${requestId} has a submission. ${count(submissionsLeft, 'submission')} left.`,
  'request.fulfilled': ({ requestId }) => `Request ${requestId} has all its submissions.`,
  'request.expired': ({ requestId, submissions }) =>
    `Request ${requestId} expired ${submissions === 0 ? 'without a submission' : `with ${count(submissions, 'submission')}`}.`,
  'request.closed': ({ requestId }) => `Request ${requestId} was closed.`,
  'user.created': ({ userId, provider }) => `Account ${userId} was created (${provider}).`,
  'user.deleted': ({ userId }) => `Account ${userId} was deleted.`,
  'user.suspended': ({ userId }) => `Account ${userId} was suspended.`,
  'user.resumed': ({ userId }) => `Account ${userId} is active again.`,
  'user.security_changed': ({ userId, change }) => `The security of account ${userId} changed: ${change}.`,
  'user.reset_requested': ({ userId }) => `A link for a new password was requested for account ${userId}.`,
  'user.verification_requested': ({ userId }) => `A link that confirms the address of account ${userId} was requested.`,
  'user.new_device': ({ userId }) => `Account ${userId} signed in from a new device.`,
  'token.created': ({ userId, tokenId, expiresAt }) =>
    `API token ${tokenId} of account ${userId} was created. It expires ${time(expiresAt)}.`,
  'token.deleted': ({ userId, tokenId }) => `API token ${tokenId} of account ${userId} was deleted.`,
  ping: () => 'This is a test message.',
}

/** One sentence or two, in English. */
export function describeEvent<Type extends DurableEventType>({ type, data }: { type: Type } & DurableEvent): string {
  return SENTENCES[type](data as DurableEvents[Type])
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Such as `2026-01-31 12:00 UTC`. */
const time = (at: EpochMs): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
