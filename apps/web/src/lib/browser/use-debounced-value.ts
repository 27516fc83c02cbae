import { useEffect, useState } from 'react'

/**
 * Returns the value once it has been stable for this time, so that the server gets a single request instead
 * of one for each key press.
 */
export function useDebouncedValue<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
