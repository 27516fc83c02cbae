/**
 * Creates a look-up that collects the keys requested in one turn of the event loop, and reads them in one query. That
 * query begins after the last of these requests, so it never returns outdated values.
 */
export function createBatchedLookUp<K, V>(options: {
  /** Returns the name of a key. Equal keys have equal names. */
  nameOf(key: K): string
  /** Reads these keys. Returns the values that exist, by the names of their keys. */
  read(keys: readonly K[]): Promise<ReadonlyMap<string, V>>
}): (key: K) => Promise<V | null> {
  const { nameOf, read } = options
  let asked = new Map<string, K>()
  let found: Promise<ReadonlyMap<string, V>> | null = null

  /**
   * Waits until Node has handled all sockets that are ready now, because `setImmediate` runs after them. So the
   * look-ups of all these requests share one query.
   */
  const readNext = (): Promise<ReadonlyMap<string, V>> =>
    new Promise((resolve) => {
      setImmediate(() => {
        const keys = [...asked.values()]
        asked = new Map()
        found = null
        resolve(read(keys))
      })
    })

  return async (key) => {
    const name = nameOf(key)
    asked.set(name, key)
    found ??= readNext()
    return (await found).get(name) ?? null
  }
}
