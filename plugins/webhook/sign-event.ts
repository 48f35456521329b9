/** Signatures of Standard Webhooks: https://www.standardwebhooks.com. */
import { createHmac } from 'node:crypto'

interface Message {
  id: string
  /** Epoch seconds of this attempt. */
  timestamp: number
  body: string
}

/** Headers of a request, with one signature for each secret, so that receivers can change their secret at any time. */
export function signatureHeaders(secrets: string[], { id, timestamp, body }: Message): Record<string, string> {
  const sign = (secret: string) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
