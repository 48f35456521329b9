/** The service worker that receives what other programs share with the installed app. */
import { SCRIPTS, toTrustedUrl } from '../../../crypto-worker/worker-scripts.js'
import { paths } from '../../../lib/paths.js'
import { withBase } from '../../../lib/site.js'

export interface Shared {
  /** Title, text and address. */
  text: string[]
  files: File[]
}

const TIMEOUT_MS = 5_000

/** In a window of its own: a page of another site that sends a form has a tab of the browser. */
const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches

/** Registers the worker in the installed app, or when the app is installed. Other visitors get none. */
export function registerShareWorker(): void {
  if (isInstalled()) register()
  else addEventListener('appinstalled', register, { once: true })
}

function register(): void {
  const options = { scope: withBase(paths.share), updateViaCache: 'none' } as const
  navigator.serviceWorker?.register(toTrustedUrl(SCRIPTS.share), options).catch(() => {})
}

/** Resolves once with the shared content, and then with null: the worker does not keep it. */
export async function takeShared(): Promise<Shared | null> {
  const registration = await navigator.serviceWorker?.getRegistration(withBase(paths.share))
  const shared = await new Promise<Shared | null>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data)
    setTimeout(() => resolve(null), TIMEOUT_MS)
    if (registration?.active) registration.active.postMessage(null, [port2])
    else resolve(null)
  })
  return isInstalled() ? shared : null
}
