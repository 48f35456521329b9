/** One call as a request of this page and as a line for the shell. */
import type { Operation } from './openapi-document.js'

export interface RequestInput {
  /** By the name of the parameter; empty: left out. */
  values: Record<string, string>
  /** JSON; empty: none. */
  body: string
  /** API token; empty: whoever this browser is signed in as. */
  token: string
}

export interface BuiltRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | null
}

/** `server`: where the calls are. Parameters of the path that are empty stay blanks. */
export function buildRequest(
  { method, path, parameters }: Operation,
  { values, body, token }: RequestInput,
  server: string,
): BuiltRequest {
  const given = (place: string) =>
    parameters
      .filter((each) => each.in === place && values[each.name])
      .map(({ name }) => [name, values[name] ?? ''] as const)
  const filled = given('path').reduce((at, [name, value]) => at.replace(`{${name}}`, encodeURIComponent(value)), path)
  const query = new URLSearchParams(Object.fromEntries(given('query'))).toString()
  return {
    method,
    url: `${server}${filled}${query && `?${query}`}`,
    headers: {
      ...Object.fromEntries(given('header')),
      ...(token && { authorization: `Basic ${base64(`${token}:`)}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body || null,
  }
}

/** The same for a shell. The token stays out of it, because shells remember what was typed. */
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

/** Inside single quotes a shell takes everything as it is, but for the quote. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
