import { afterAll, describe } from 'vitest'
import { storageContract } from '#core/testing'
import { acquireDatabase, storagesOn } from '#test/databases'
import { needs } from '#test/needs'

describe('storage contract on postgres', needs('postgres'), () => {
  const { open, drop } = storagesOn(() => acquireDatabase('postgres'))
  afterAll(drop)
  storageContract(open)
})
