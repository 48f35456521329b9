/** Returns a function that calls `create` on the first call and returns the same value from then on. */
export function lazy<T>(create: () => T): () => T {
  let created: { value: T } | null = null
  return () => {
    created ??= { value: create() }
    return created.value
  }
}
