/** Signing secrets of webhooks: created here, and encrypted with the key of the instance in the storage. */
import { randomBytes } from 'node:crypto'
import type { WebhookMessage } from '../contracts/channels.js'
import type { UserWebhook } from '../contracts/user-webhooks.js'
import { createTextCipher } from '../lib/text-cipher.js'

/** In bytes. Standard Webhooks allows 24 to 64. */
const SECRET_BYTES = 32
/** How long the previous secret signs after a rotation. */
const OVERLAP_MS = 24 * 60 * 60_000

type Secrets = Pick<UserWebhook, 'secret' | 'previousSecret' | 'previousUntil'>

/** `key`: of the instance, 32 bytes. */
export function createWebhookSecrets(key: Buffer) {
  const cipher = createTextCipher(key, 'mayfly/v1/webhook-secret')
  const create = (id: string) => {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
    return { secret, encrypted: cipher.encrypt(secret, id) }
  }
  return {
    /** A new secret of a webhook, and its encrypted form for the storage. */
    create,
    /** A new secret. The previous secret also signs for a day. */
    rotate({ id, secret: previousSecret }: UserWebhook, now: number) {
      const { secret, encrypted } = create(id)
      const changes: Secrets = { secret: encrypted, previousSecret, previousUntil: now + OVERLAP_MS }
      return { secret, changes }
    },
    /** Null if the secret was created with another key of the instance. */
    toDestination(webhook: UserWebhook, now: number): Omit<WebhookMessage, 'event'> | null {
      const { id, url, secret, previousSecret, previousUntil } = webhook
      const isOverlapping = previousSecret !== null && (previousUntil ?? 0) > now
      const secrets = [secret, ...(isOverlapping ? [previousSecret] : [])].map((each) => cipher.decrypt(each, id))
      return secrets[0] === null ? null : { url, secrets: secrets.filter((each) => each !== null) }
    },
  }
}
