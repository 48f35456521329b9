/**
 * Requests that receivers understand: Standard Webhooks, and the messages of chat and notification services. A message
 * contains the data of the event, so never a text, a title, a key or a link.
 */
import type { DurableEvent } from '#core'
import { describeEvent } from './event-text.js'
import { signatureHeaders } from './sign-event.js'

/** Of a target. Empty values are not set. */
interface Credentials {
  url: string
  /** Signing secrets. */
  secrets: string[]
  /** Access token, which some services need. */
  token: string
}

interface OutgoingRequest {
  method: 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  body: string
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Mattermost and Rocket.Chat accept the format `slack`. */
export const FORMATS = {
  /** https://www.standardwebhooks.com */
  standard: ({ id, type, at, data }, { url, secrets }) => {
    const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
    const signature = signatureHeaders(secrets, { id, timestamp: Math.floor(Date.now() / 1000), body })
    return { method: 'POST', url, headers: { ...signature, ...JSON_TYPE }, body }
  },
  /** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
  slack: (event, { url }) => postJson(url, { text: describeEvent(event) }),
  /** https://discord.com/developers/docs/resources/webhook#execute-webhook */
  discord: (event, { url }) => postJson(url, { content: describeEvent(event), allowed_mentions: { parse: [] } }),
  /** A workflow "When a Teams webhook request is received", with an Adaptive Card. */
  teams: (event, { url }) => {
    const body = [{ type: 'TextBlock', text: describeEvent(event), wrap: true }]
    const content = { type: 'AdaptiveCard', version: '1.4', body }
    return postJson(url, {
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
    })
  },
  /** https://docs.ntfy.sh/publish. `url`: of the topic. */
  ntfy: (event, { url, token }) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8', title: 'Mayfly', ...bearer(token) }
    return { method: 'POST', url, headers, body: describeEvent(event) }
  },
  /** https://gotify.net/docs/pushmsg. `url`: ends with `/message`. `token`: of an application. */
  gotify: (event, { url, token }) =>
    postJson(url, { title: 'Mayfly', message: describeEvent(event), priority: 5 }, { 'x-gotify-key': token }),
  /**
   * https://spec.matrix.org/latest/client-server-api/#sending-events-to-a-room. `url`: ends with
   * `/rooms/ROOM_ID/send/m.room.message`. The room gets one message for all attempts, because their transaction ids are
   * the same.
   */
  matrix: (event, { url, token }) => {
    const body = JSON.stringify({ msgtype: 'm.notice', body: describeEvent(event) })
    return { method: 'PUT', url: `${url}/${event.id}`, headers: { ...JSON_TYPE, ...bearer(token) }, body }
  },
} satisfies Record<string, (event: DurableEvent, target: Credentials) => OutgoingRequest>

export type Format = keyof typeof FORMATS

export const FORMAT_NAMES = Object.keys(FORMATS) as Format[]

/** Formats whose services refuse requests without a token. */
export const FORMATS_WITH_TOKEN: readonly Format[] = ['gotify', 'matrix']

const postJson = (url: string, body: object, headers: Record<string, string> = {}): OutgoingRequest => ({
  method: 'POST',
  url,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
})

const bearer = (token: string): Record<string, string> => (token === '' ? {} : { authorization: `Bearer ${token}` })
