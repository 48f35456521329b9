import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeStorage } from '#test/databases'
import { describeEachStorage } from '#test/for-each-engine'
import type { Storage } from '../contracts/storage.js'
import { openStorage } from '../testing/lib/open-plugin.js'
import { INSTANCE_KEY, loadInstanceKey, resolveInstanceKey } from './instance-key.js'

describeEachStorage((name) => {
  async function onStorage(work: (storage: Storage) => Promise<void>): Promise<void> {
    const made = await makeStorage(name)
    const { storage, close } = await openStorage(made.storage)
    try {
      await storage.migrate()
      expect(await storage.instanceState.get(INSTANCE_KEY)).toBeNull()
      await work(storage)
    } finally {
      await close()
      await made.drop()
    }
  }

  test('ten concurrent requests create one instance key', () =>
    onStorage(async (storage) => {
      const keys = await Promise.all(Array.from({ length: 10 }, () => loadInstanceKey(storage)))
      expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
      expect(keys[0]).toHaveLength(32)
      expect(await loadInstanceKey(storage)).toEqual(keys[0])
      expect(await storage.instanceState.get(INSTANCE_KEY)).toBe(keys[0]?.toString('base64url'))
      expect(await storage.settings.getAll()).toEqual({})
    }))

  test('a configured key is used in either encoding, and not stored', () =>
    onStorage(async (storage) => {
      const stored = await resolveInstanceKey('', storage)
      expect(await loadInstanceKey(storage)).toEqual(stored)
      const key = randomBytes(32)
      for (const encoding of ['hex', 'base64url'] as const) {
        expect(await resolveInstanceKey(key.toString(encoding), storage)).toEqual(key)
        expect(await storage.instanceState.get(INSTANCE_KEY)).toBeNull()
      }
    }))
})
