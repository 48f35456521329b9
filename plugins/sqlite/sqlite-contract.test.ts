import { afterAll, describe } from 'vitest'
import { storageContract } from '#core/testing'
import { makeSqliteDatabase, storagesOn } from '#test/databases'
import { SQLITE_DRIVERS } from '#test/sqlite-drivers'

describe.each(SQLITE_DRIVERS)('with %s', (driver) => {
  const { open, drop } = storagesOn(() => makeSqliteDatabase(driver))
  afterAll(drop)
  storageContract(open)
})
