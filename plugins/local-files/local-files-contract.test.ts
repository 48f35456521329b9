import { fileStoreContract, openFileStore } from '#core/testing'
import localFiles from './index.js'

fileStoreContract(() => openFileStore(localFiles, { options: { minFreeBytes: 0 } }))
