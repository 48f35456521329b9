import type { FileStore } from '../../contracts/file-store.js'

/** The file store of the running test. */
export type CurrentFiles = () => FileStore
