import { useSyncExternalStore } from 'react'
import { logWarning } from './log.ts'

const valueByKey = new Map<string, unknown>()
const listeners = new Set<() => void>()

function parseStored(key: string): unknown {
  const text = localStorage.getItem(key)
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    logWarning(`The stored value of ${key} is not readable`, error)
    return undefined
  }
}

/** Handles a change by another tab: of one value, or of all values if the key is null. */
function forget({ key }: StorageEvent): void {
  if (key === null) valueByKey.clear()
  else valueByKey.delete(key)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', forget)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('storage', forget)
    // Without the listener, this page misses the changes of other tabs. The next use must read the values
    // again.
    valueByKey.clear()
  }
}

function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch (error) {
    // The storage is full or disabled. The value is lost when the page is left.
    logWarning(`The value of ${key} could not be stored`, error)
  }
}

/**
 * Returns a setting that the browser stores under this key, and a function that changes it. `read` converts
 * the stored value, which may be anything; it gets `undefined` if there is none.
 */
export function useStoredValue<Value>(
  key: string,
  read: (stored: unknown) => Value,
): readonly [value: Value, change: (next: (now: Value) => Value) => void] {
  const current = (): Value => {
    // Return the same object each time, because React compares values by identity.
    if (!valueByKey.has(key)) valueByKey.set(key, read(parseStored(key)))
    return valueByKey.get(key) as Value
  }
  const value = useSyncExternalStore(subscribe, current)
  return [
    value,
    (next) => {
      const changed = next(current())
      valueByKey.set(key, changed)
      store(key, changed)
      for (const listener of listeners) listener()
    },
  ]
}

/** Reads a stored list of strings. Anything else becomes an empty list. */
export const readStrings = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((each): each is string => typeof each === 'string') : []
