import { openStorage, storageContract } from '#core/testing'
import memory from './index.js'

storageContract(() => openStorage(memory))
