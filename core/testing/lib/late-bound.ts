import type { Storage } from '../../contracts/storage.js'

type Methods = Record<PropertyKey, (...args: unknown[]) => unknown>

/**
 * Returns an object whose methods are those of the object that `current` returns when they are called. A suite names its
 * stores once, while each test opens its own.
 */
export const lateBound = <T extends object>(current: () => T): T =>
  new Proxy({} as T, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        (current() as unknown as Methods)[name]?.(...args),
  })

/** The same for the stores of a storage, without its own methods. */
export const lateBoundStores = (current: () => Storage): Storage =>
  new Proxy({} as Storage, { get: (_, store) => lateBound(() => current()[store as 'secrets']) })
