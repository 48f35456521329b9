import { afterAll, describe } from 'vitest'
import { storageContract } from '#core/testing'
import { missing, storagesOn } from '#core/testing/databases'

const why = await missing('mysql')
describe.skipIf(why)(why ?? 'the contract', () => {
  const { open, drop } = storagesOn('mysql')
  afterAll(drop)
  storageContract(open)
})
