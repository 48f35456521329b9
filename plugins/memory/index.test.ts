import { aHost, storageContract } from '#core/testing'
import memory from './index.js'

storageContract(async () => {
  const { storage } = await memory.setup({}, aHost())
  if (!storage) throw new Error('the plugin has no storage')
  return { storage, close: async () => {} }
})
