/** A map that forgets what was not used for the longest time, so that nobody can fill the memory. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  readonly size: number
}

export function boundedMap<Value>(most: number): BoundedMap<Value> {
  // A Map hands out its keys in the order in which they came in.
  const map = new Map<string, Value>()
  const set = (key: string, value: Value) => {
    map.delete(key)
    map.set(key, value)
    const [oldest] = map.keys()
    if (map.size > most && oldest !== undefined) map.delete(oldest)
  }
  return {
    get(key) {
      const value = map.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
    delete: (key) => void map.delete(key),
    get size() {
      return map.size
    },
  }
}
