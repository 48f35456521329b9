import type { Storage } from '../../contracts/storage.js'

type Method = (...args: unknown[]) => unknown

/**
 * Returns an object whose methods call the same methods of the object that `current` returns at that time. A suite
 * names its stores once, while each test opens its own. A call of a missing method throws a TypeError.
 */
export const lateBound = <T extends object>(current: () => T): T =>
  new Proxy({} as T, {
    get:
      (_, name) =>
      (...args: unknown[]) => {
        const target = current()
        return (target[name as keyof T] as Method).apply(target, args)
      },
  })

/** The same for the stores of a storage, without its own methods. */
export const lateBoundStores = (current: () => Storage): Storage =>
  new Proxy({} as Storage, { get: (_, store) => lateBound(() => current()[store as 'secrets']) })
