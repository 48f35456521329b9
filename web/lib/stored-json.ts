/** JSON in a storage of the browser, which can be blocked or full. */

type StorageName = 'localStorage' | 'sessionStorage'

/** Null when nothing is stored, the stored text is not JSON, or storage is blocked. */
export function readJson(storage: StorageName, key: string): unknown {
  try {
    return JSON.parse(globalThis[storage].getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Null removes the value. False when storage is blocked or full. */
export function storeJson(storage: StorageName, key: string, value: object | null): boolean {
  try {
    if (value === null) globalThis[storage].removeItem(key)
    else globalThis[storage].setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
