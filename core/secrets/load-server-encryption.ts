import { lazy } from '../lib/lazy.js'

/** Loads the encryption of raw secrets at its first use. Many instances never need it. */
export const loadServerEncryption = lazy(() => import('./server-encrypted.js'))
