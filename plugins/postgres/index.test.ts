import { afterAll, describe } from 'vitest'
import { storageContract } from '#core/testing'
import { missing, storagesOn } from '#core/testing/databases'

const why = await missing('postgres')
describe.skipIf(why)(why ?? 'the contract', () => {
  const { open, drop } = storagesOn('postgres')
  afterAll(drop)
  storageContract(open)
})
