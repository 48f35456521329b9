import { afterAll } from 'vitest'
import { storageContract } from '#core/testing'
import { storagesOn } from '#test/databases'

const { open, drop } = storagesOn('sqlite')
afterAll(drop)
storageContract(open)
