interface Kept<Key, Value> {
  /** Returns the value of a key. It is created at the first call. */
  get(key: Key): Value
  clear(): void
}

/** Keeps values that are slow to create, such as formats of `Intl`. There must be few keys. */
export function memoizeByKey<Key extends string | number, Value>(
  create: (key: Key) => Value,
): Kept<Key, Value> {
  const kept = new Map<Key, Value>()
  return {
    get(key) {
      const found = kept.get(key)
      if (found !== undefined) return found
      const created = create(key)
      kept.set(key, created)
      return created
    },
    clear: () => kept.clear(),
  }
}
