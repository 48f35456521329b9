/** Posts one event to a target. */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { DeliveryOutcome, DurableEvent } from '#core'
import { FORMATS, type Format } from './formats.js'
import { AddressError, createTargetLookup, isTargetAddress } from './target-address.js'

/** Time limit of a request with its response. */
const REQUEST_MS = 10_000
/** The rest of a response is not read. */
const RESPONSE_MAX = 2 ** 20

export interface Target {
  url: string
  /** Default: `standard`. */
  format?: Format
  /** Signing secrets of the format `standard`. */
  secrets: string[]
  /** Access token at the service, which some formats need; '' or absent: no token. */
  token?: string
  /** Private addresses that may receive events. */
  allow: string[]
  /** Default: `REQUEST_MS`. */
  timeoutMs?: number
}

/** Delivered with a status of 200 to 299. A redirect is not followed, and counts as failed. Never rejects. */
export async function postEvent(target: Target, event: DurableEvent, signal: AbortSignal): Promise<DeliveryOutcome> {
  const timeout = AbortSignal.timeout(target.timeoutMs ?? REQUEST_MS)
  try {
    const status = await sendRequest(target, event, AbortSignal.any([signal, timeout]))
    return { isDelivered: status >= 200 && status < 300, result: `HTTP ${status}` }
  } catch (error) {
    return { isDelivered: false, result: timeout.aborted ? 'timeout' : describe(error) }
  }
}

async function sendRequest(
  { url, format = 'standard', secrets, token = '', allow }: Target,
  event: DurableEvent,
  signal: AbortSignal,
): Promise<number> {
  const { method, body, ...message } = FORMATS[format](event, { url, secrets, token })
  const target = new URL(message.url)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  // A literal address is not looked up.
  if (isIP(host) && !isTargetAddress(host, allow)) throw new AddressError()
  const headers = {
    ...message.headers,
    'content-length': Buffer.byteLength(body),
    'user-agent': 'Mayfly',
    connection: 'close',
  }
  const options = { method, headers, agent: false, lookup: createTargetLookup(allow), signal } as const
  return new Promise((resolve, reject) => {
    const request = target.protocol === 'https:' ? requestHttps(target, options) : requestHttp(target, options)
    request.on('error', reject)
    request.once('response', (response) => {
      readBounded(response).then(() => resolve(response.statusCode ?? 0), reject)
    })
    request.end(body)
  })
}

/** Reads a response to its end, or to `RESPONSE_MAX` bytes. */
async function readBounded(response: IncomingMessage): Promise<void> {
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > RESPONSE_MAX) break
  }
}

/** A code such as `ECONNREFUSED`. The message of an error may contain addresses. */
function describe(error: unknown): string {
  if (error instanceof AddressError) return 'address refused'
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown'
}
