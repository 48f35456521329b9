import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aHost, storageContract } from '#core/testing'
import sqlite from './index.js'

storageContract(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-sqlite-'))
  const { storage, close } = await sqlite.setup(sqlite.options.parse({}), aHost({ dataDir }))
  if (!storage) throw new Error('the plugin has no storage')
  return {
    storage,
    close: async () => {
      await close?.()
      await rm(dataDir, { recursive: true })
    },
  }
})
