import { createLazyPart } from './lazy-part.js'

/** Generates passwords. Its list of words is loaded when a password is wanted. */
export const passphrasePart = createLazyPart(() => import('#shared/crypto/passphrase'))
