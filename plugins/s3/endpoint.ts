/** Rules about the address of an S3 server. */
import { isLoopbackHost } from '#core'

/**
 * True for http(s), host, port and path only. Credentials are refused because the endpoint is shown and logged. Empty:
 * AWS.
 */
export function isEndpoint(text: string): boolean {
  if (text === '') return true
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}${url.pathname}`
}

/**
 * True if the connection leaves this machine without encryption. `endpoint`: as `isEndpoint` accepts it; AWS is reached
 * over https.
 */
export function isUnencryptedEndpoint(endpoint: string): boolean {
  if (endpoint === '') return false
  const { protocol, hostname } = new URL(endpoint)
  return protocol === 'http:' && !isLoopbackHost(hostname)
}
