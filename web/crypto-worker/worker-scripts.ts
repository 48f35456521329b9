/** The scripts that the page runs besides its own modules, which Trusted Types allow. */
import { withBase } from '../lib/site.js'
import requestsUrl from './request-worker.js?worker&url'
import filesUrl from './transfer-worker.js?worker&url'
import cryptoUrl from './worker.js?worker&url'

/** `share`: the service worker of the installed app. */
export const SCRIPTS = {
  crypto: cryptoUrl,
  files: filesUrl,
  requests: requestsUrl,
  share: withBase('/share-worker.js'),
}

/** The only Trusted Types policy of the page. It allows the scripts of the workers. */
export function toTrustedUrl(url: string): string {
  policy ??= window.trustedTypes?.createPolicy('app-worker', { createScriptURL: checkScriptUrl })
  return (policy?.createScriptURL(url) ?? url) as string
}

function checkScriptUrl(url: string): string {
  if (Object.values(SCRIPTS).includes(url)) return url
  throw new TypeError(url)
}

let policy: TrustedTypePolicy | undefined

interface TrustedTypePolicy {
  createScriptURL(input: string): unknown
}

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(input: string): string }): TrustedTypePolicy
    }
  }
}
