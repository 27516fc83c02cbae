import { InvalidKeyError, type ObjectKey, type ObjectStorage, assertKey } from './object-storage.ts'

/**
 * Returns a storage that keeps its objects in another storage, under a prefix that ends with `/`. It cannot reach other
 * objects of that storage. Its `sweep` does nothing, because the other storage sweeps the leftovers of both.
 */
export function prefixedStorage(storage: ObjectStorage, prefix: string): ObjectStorage {
  const inside = (key: string): string => {
    // A key with `..` would lead out of the prefix.
    assertKey(key)
    return `${prefix}${key}`
  }
  const insideKey = (key: ObjectKey): ObjectKey =>
    typeof key === 'string' ? inside(key) : (sha256) => inside(key(sha256))
  return {
    put: (key, source) => storage.put(inside(key), source),
    async begin(origin) {
      const pending = await storage.begin(origin)
      return {
        write: (chunk) => pending.write(chunk),
        withLocalFile: (work) => pending.withLocalFile(work),
        seal: (key) => pending.seal(key === undefined ? undefined : insideKey(key)),
        commit: async (key) => pending.commit(insideKey(key)),
        abort: () => pending.abort(),
      }
    },
    open: async (key, range) => storage.open(inside(key), range),
    stat: async (key) => storage.stat(inside(key)),
    delete: async (key, tx) => storage.delete(inside(key), tx),
    async *list(wanted) {
      if (wanted.includes('..')) throw new InvalidKeyError(`${JSON.stringify(wanted)} is not a prefix.`)
      for await (const { key, modifiedAt } of storage.list(`${prefix}${wanted}`))
        yield { key: key.slice(prefix.length), modifiedAt }
    },
    withLocalFile: async (key, work) => storage.withLocalFile(inside(key), work),
    check: () => storage.check(),
    sweep: async () => 0,
  }
}
