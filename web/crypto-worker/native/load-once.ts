/** Chooses between code of the browser and its replacement in JavaScript. */

/**
 * Returns a function that resolves to the result of `native`, or of `portable` if `native` rejects. Both run once, but
 * `portable` again after it failed, because it is fetched: the error is named NetworkError.
 */
export function loadOnce<T>(native: () => Promise<T>, portable: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= native()
      .catch(portable)
      .catch((cause) => {
        loaded = undefined
        throw Object.assign(new Error('a part of this page could not be loaded', { cause }), { name: 'NetworkError' })
      })
    return loaded
  }
}
