/**
 * Creates a look-up that reads all keys requested within one turn of the event loop in one query. The query
 * of a key always begins after the key was requested, so no outdated value is returned.
 */
export function createBatchedLookUp<K, V>(options: {
  /** Returns the name of a key. Equal keys have equal names. */
  nameOf(key: K): string
  /** Returns the values that exist, keyed by the names of their keys. */
  read(keys: readonly K[]): Promise<ReadonlyMap<string, V>>
}): (key: K) => Promise<V | null> {
  const { nameOf, read } = options
  let asked = new Map<string, K>()
  let found: Promise<ReadonlyMap<string, V>> | null = null

  /**
   * Node reads sockets that are ready at the same time one after another, and runs `setImmediate` after the last of
   * them. So the look-ups of all these requests share one query.
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
