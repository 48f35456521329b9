/** `backup` stores the time of a backup that is complete, for the metrics. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readLastBackup } from '#core/backup'
import type { Plugin } from '#core/runtime'
import { openStorage } from '#core/testing'
import { builtIns } from '#plugins'
import { createInstanceFolder, type InstanceFolder } from '#test/user-commands'

let instance: InstanceFolder
beforeEach(async () => {
  instance = await createInstanceFolder()
})
afterEach(() => instance.remove())

async function lastBackup(): Promise<number | null> {
  const dataDir = `${instance.folder}/data`
  const { storage, close } = await openStorage((await builtIns.sqlite()).default as Plugin, { dataDir })
  return readLastBackup(storage.instanceState).finally(close)
}

test('a complete backup stores its time, a refused one does not, and a restore forgets it', async () => {
  await instance.mayfly(['migrate'])
  expect(await lastBackup()).toBeNull()
  expect(await instance.mayfly(['backup', 'no/such/folder/backup.tar'])).not.toMatchObject({ code: 0 })
  expect(await lastBackup()).toBeNull()
  const before = Date.now()
  expect(await instance.mayfly(['backup', 'full ☃.tar'])).toMatchObject({ code: 0 })
  const stored = (await lastBackup()) ?? 0
  expect(stored).toBeGreaterThanOrEqual(before)
  expect(stored).toBeLessThanOrEqual(Date.now())
  expect(await instance.mayfly(['backup', 'full ☃.tar'])).toMatchObject({ code: 8 })
  expect(await lastBackup()).toBe(stored)
  expect(await instance.mayfly(['restore', 'full ☃.tar', '--replace', '--confirm', 'mayfly.db'])).toMatchObject({
    code: 0,
  })
  expect(await lastBackup()).toBeNull()
})
