/** SQLite drivers that work on this machine: `node:sqlite` on Node.js 22.13 and newer, `sqlite3` with its binary. */
import { chooseDriver, DRIVER_NAMES } from '#plugins/sqlite/drivers/sqlite-driver'

export const SQLITE_DRIVERS = DRIVER_NAMES.filter((name) => {
  try {
    return chooseDriver(name).name === name
  } catch {
    return false
  }
})
