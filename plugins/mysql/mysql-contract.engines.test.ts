import { afterAll, describe } from 'vitest'
import { storageContract } from '#core/testing'
import { makeDatabase, storagesOn } from '#test/databases'
import { needs } from '#test/needs'

describe('storage contract on mysql', needs('mysql'), () => {
  const { open, drop } = storagesOn(() => makeDatabase('mysql'))
  afterAll(drop)
  storageContract(open)
})
