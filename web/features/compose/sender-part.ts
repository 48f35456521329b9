import { createLazyPart } from '../../lib/lazy-part.js'

/** The code that encrypts and sends a draft. */
export const senderPart = createLazyPart(() => import('./sender.js'))

/** Loads the sender and starts its worker. Does nothing when it cannot be loaded. */
export function startEncryption(): void {
  senderPart.load().then(
    ({ startCryptoWorker }) => startCryptoWorker(),
    () => {},
  )
}
