import { useSyncExternalStore } from 'react'
import { logWarning } from './log.ts'

const known = new Map<string, unknown>()
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
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
    if (!known.has(key)) known.set(key, read(parseStored(key)))
    return known.get(key) as Value
  }
  const value = useSyncExternalStore(subscribe, current)
  return [
    value,
    (next) => {
      const changed = next(current())
      known.set(key, changed)
      localStorage.setItem(key, JSON.stringify(changed))
      for (const listener of listeners) listener()
    },
  ]
}

/** Reads a stored list of strings. Anything else becomes an empty list. */
export const readStrings = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((each): each is string => typeof each === 'string') : []
