import { openStorage, storageContract } from '#core/testing'
import sqlite from './index.js'

storageContract(() => openStorage(sqlite))
