import { afterAll, describe } from 'vitest'
import { storageContract } from '#core/testing'
import { makeDatabase, storagesOn } from '#test/databases'
import { needs } from '#test/needs'

describe('storage contract on postgres', needs('postgres'), () => {
  const { open, drop } = storagesOn(() => makeDatabase('postgres'))
  afterAll(drop)
  storageContract(open)
})
