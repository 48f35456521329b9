import { limitResponses } from '#shared/client/response-limit'
import { withBase } from '../../lib/site.js'
import { buildRequest, type RequestInput } from './build-request.js'
import type { Operation } from './openapi-document.js'

/** `status`: null when there was no response. */
export interface ApiResponse {
  status: string | null
  text: string
}

const SHOWN_MAX = 20_000

/** Sends a request to this instance, with the token, or else with the session of this browser. */
export async function sendRequest(operation: Operation, filled: RequestInput): Promise<ApiResponse> {
  const { method, url, headers, body } = buildRequest(operation, filled, withBase('/api/v1'))
  try {
    const credentials = filled.token ? 'omit' : 'same-origin'
    const response = await limitResponses(fetch)(url, { method, headers, body, credentials, cache: 'no-store' })
    const text = await response.text()
    return { status: `${response.status} ${response.statusText}`.trim(), text: pretty(text).slice(0, SHOWN_MAX) }
  } catch {
    return { status: null, text: '' }
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
