/**
 * Creates a look-up that reads all keys requested within one turn of the event loop in one query. The query always
 * begins after the request for the key, so no outdated value is ever returned.
 */
export function createBatchedLookUp<K, V>(options: {
  /** Equal keys have equal names. */
  nameOf(key: K): string
  /** Returns the values that exist, by the name of their key. */
  read(keys: readonly K[]): Promise<ReadonlyMap<string, V>>
}): (key: K) => Promise<V | null> {
  const { nameOf, read } = options
  let asked = new Map<string, K>()
  let found: Promise<ReadonlyMap<string, V>> | null = null

  /** Sockets that are ready at the same time are read one after another. `setImmediate` runs after the last of them. */
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
