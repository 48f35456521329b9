import { expect, test } from 'vitest'
import type { FileStore } from '../contracts/file-store.js'
import type { Storage } from '../contracts/storage.js'
import { healthService } from './health.js'

const up = { ping: async () => {} }
const down = { ping: () => Promise.reject(new Error('ECONNREFUSED')) }
const health = (storage: object, files: object | null) =>
  healthService({ storage: storage as Storage, files: files as FileStore | null })

test.each([
  [up, up, undefined],
  [up, null, undefined],
  [down, up, { code: 'storage.unavailable', message: 'Not responding: storage.' }],
  [up, down, { code: 'file.unavailable', message: 'Not responding: files.' }],
  [down, down, { code: 'storage.unavailable', message: 'Not responding: storage, files.' }],
])('check names the components that do not respond', async (storage, files, failure) => {
  const asked = health(storage, files)
  if (failure) await expect(asked.ready()).rejects.toMatchObject(failure)
  else await asked.ready()
  expect((await asked.parts()).map(({ isUp }) => isUp)).toEqual(
    [storage, ...(files ? [files] : [])].map((part) => part === up),
  )
})
