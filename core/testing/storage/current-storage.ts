import type { Storage } from '../../contracts/storage.js'

/** The storage of the running test. */
export type Current = () => Storage
