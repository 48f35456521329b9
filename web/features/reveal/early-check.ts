/**
 * Asks the server about the secret of the page's link while the app is still being loaded: a script of its own, which
 * the browser runs first. Links that need repair, and those without a key, are left to the app.
 */
import { accessProof } from '#shared/crypto/keys'
import { isSecretId, parseFragment } from '#shared/link'
import { showEarlyForm } from './early-form.js'

interface EarlyCheck {
  url: string
  access: string
  response: Promise<Response>
  abort(reason: unknown): void
}

let check = startCheck(location)

/** The response to the same request, once; null if there is none. Rejects like `fetch`. */
export function takeEarlyResponse(url: unknown, { headers, signal }: RequestInit = {}): Promise<Response> | null {
  const early = check
  check = null
  if (early?.url !== url || early?.access !== new Headers(headers).get('mayfly-access')) return null
  signal?.addEventListener('abort', () => early?.abort(signal.reason))
  return early.response
}

function startCheck({ pathname, search, hash }: Location): EarlyCheck | null {
  const [, base = '', id = ''] = /^(.*)\/secret\/([\w-]+)$/.exec(pathname) ?? []
  if (!isSecretId(id) || search !== '' || !/^#1[\w-]+$/.test(hash)) return null
  try {
    const access = accessProof(parseFragment(hash))
    const url = `${base}/api/v1/secret/${id}/exist`
    const controller = new AbortController()
    const response = fetch(url, { headers: { 'mayfly-access': access }, signal: controller.signal })
    // Other responses and errors are handled when the app uses them.
    response.then(async (found) => found.ok && showEarlyForm(await found.clone().json())).catch(() => {})
    return { url, access, response, abort: (reason) => controller.abort(reason) }
  } catch {
    // The app reports the problem of the link.
    return null
  }
}
