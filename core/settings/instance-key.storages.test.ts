import { expect, test } from 'vitest'
import { makeStorage } from '#test/databases'
import { describeEachStorage } from '#test/for-each-engine'
import { openStorage } from '../testing/lib/open-plugin.js'
import { INSTANCE_KEY, loadInstanceKey } from './instance-key.js'

describeEachStorage((name) => {
  test('ten concurrent requests create one instance key', async () => {
    const made = await makeStorage(name)
    const { storage, close } = await openStorage(made.storage)
    try {
      await storage.migrate()
      const keys = await Promise.all(Array.from({ length: 10 }, () => loadInstanceKey(storage)))
      expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
      expect(keys[0]).toHaveLength(32)
      expect(await loadInstanceKey(storage)).toEqual(keys[0])
      expect(Object.keys(await storage.settings.all())).toEqual([INSTANCE_KEY])
    } finally {
      await close()
      await made.drop()
    }
  })
})
