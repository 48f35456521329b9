/** Builds a request for `fetch` and as a curl command. */
import type { Operation } from './openapi-document.js'

export interface RequestInput {
  /** By parameter name. Empty values are left out. */
  values: Record<string, string>
  /** JSON, or empty for none. */
  body: string
  /** API token, or empty to use the session of this browser. */
  token: string
}

export interface BuiltRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | null
}

/** `server`: base URL of the API. Empty path parameters stay as placeholders. */
export function buildRequest(
  { method, path, parameters }: Operation,
  { values, body, token }: RequestInput,
  server: string,
): BuiltRequest {
  const parametersIn = (place: string) =>
    parameters
      .filter((each) => each.in === place && values[each.name])
      .map(({ name }) => [name, values[name] ?? ''] as const)
  const filled = parametersIn('path').reduce(
    (at, [name, value]) => at.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const query = new URLSearchParams(Object.fromEntries(parametersIn('query'))).toString()
  return {
    method,
    url: `${server}${filled}${query && `?${query}`}`,
    headers: {
      ...Object.fromEntries(parametersIn('header')),
      ...(token && { authorization: `Basic ${base64(`${token}:`)}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body || null,
  }
}

/** Uses `$TOKEN` instead of the token, because shells keep a history. */
export function toCurl({ method, url, headers, body }: BuiltRequest): string {
  const { authorization, ...others } = headers
  return [
    'curl',
    ...(authorization ? ['-u "$TOKEN:"'] : []),
    ...(method === 'GET' || (method === 'POST' && body) ? [] : [`-X ${method}`]),
    shellQuote(url),
    ...Object.entries(others).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(body ? [`-d ${shellQuote(body)}`] : []),
  ].join(' ')
}

/** Inside single quotes only the quote itself is special. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
