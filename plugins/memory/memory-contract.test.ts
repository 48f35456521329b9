import { fileStoreContract, openFileStore, openStorage, storageContract } from '#core/testing'
import memory from './index.js'

storageContract(() => openStorage(memory))
fileStoreContract(() => openFileStore(memory))
