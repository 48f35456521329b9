import { describe } from 'vitest'
import { makeSqliteDatabase } from '#test/databases'
import { raceContract } from '#test/race-contract'
import { SQLITE_DRIVERS } from '#test/sqlite-drivers'

describe.each(SQLITE_DRIVERS)('with %s', (driver) => raceContract('sqlite', () => makeSqliteDatabase(driver)))
