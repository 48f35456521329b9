import { afterAll, describe } from 'vitest'
import { storageContract } from '#core/testing'
import { acquireDatabase, storagesOn } from '#test/databases'
import { needs } from '#test/needs'

describe('storage contract on mysql', needs('mysql'), () => {
  const { open, drop } = storagesOn(() => acquireDatabase('mysql'))
  afterAll(drop)
  storageContract(open)
})
