/** Download tickets: each view gets one for every file of the secret. */
import { createHash } from 'node:crypto'
import type { App } from '../app.js'
import type { Secret } from '../contracts/storage.js'
import type { ViewedSecret } from '../shared/api/index.js'
import { limitTicket } from './ticket-address.js'

/**
 * Opens a ticket for each file of a viewed secret. Tickets derive from `claim`, so a retried view gets the same ones.
 */
export async function openTickets(
  { storage, config, key: instanceKey, now }: App,
  secret: Secret,
  claim: string,
  isUsedUp: boolean,
): Promise<ViewedSecret['files']> {
  if (secret.files === 0) return []
  const attachments = await storage.attachments.listBySecret(secret.id, now())
  const expiresAt = now() + config.downloadGraceSeconds * 1000
  const { allowedIp } = secret
  const tickets = attachments.map((attachment) => {
    const key = deriveTicket(claim, attachment.id)
    if (allowedIp === null) return { attachment, key, hash: hashTicket(key) }
    const limited = limitTicket(key, allowedIp, instanceKey)
    return { attachment, key: limited, hash: hashLimitedTicket(limited) }
  })
  await storage.attachments.createTickets(
    secret.id,
    tickets.map(({ attachment, hash }) => ({ hash, attachmentId: attachment.id, expiresAt })),
    isUsedUp ? expiresAt : null,
  )
  return tickets.map(({ attachment: { fileId, size, parts, name, type }, key }) => ({
    id: fileId,
    size,
    parts,
    key,
    ...(name === null ? {} : { name }),
    ...(type === null ? {} : { type }),
  }))
}

export const hashTicket = (ticket: string): string =>
  createHash('sha256').update(`mayfly/v1/ticket${ticket}`).digest('hex')

/** Of a ticket that contains an address rule. */
export const hashLimitedTicket = (ticket: string): string =>
  createHash('sha256').update(`mayfly/v1/limited-ticket${ticket}`).digest('hex')

/**
 * 32 bytes, base64url. A hash of the claim and the file, because the claim itself would open the other files too. The
 * id differs in every secret with the file.
 */
const deriveTicket = (claim: string, attachmentId: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['mayfly/v1/ticket', claim, attachmentId]))
    .digest('base64url')
