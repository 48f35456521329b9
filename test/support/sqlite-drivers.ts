/** SQLite drivers that work on this machine: `node:sqlite` on Node.js 22.13 and newer, `sqlite3` with its binary. */
import { chooseDriver, DRIVER_NAMES, type DriverName } from '#plugins/sqlite/drivers/sqlite-driver'

export const SQLITE_DRIVERS = DRIVER_NAMES.filter((name) => {
  try {
    return chooseDriver(name).name === name
  } catch {
    return false
  }
})

/** For tests of one driver: `node:sqlite` where it exists, because other tests use `sqlite3`. */
export const NEWEST_SQLITE_DRIVER = SQLITE_DRIVERS.at(-1) as DriverName
