import { afterAll, describe } from 'vitest'
import { storageContract } from '#core/testing'
import { storagesOn } from '#test/databases'
import { needs } from '#test/needs'

describe('storage contract on mysql', needs('mysql'), () => {
  const { open, drop } = storagesOn('mysql')
  afterAll(drop)
  storageContract(open)
})
