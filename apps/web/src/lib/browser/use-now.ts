import { useSyncExternalStore } from 'react'

const TICK_MS = 30_000

let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) timer = setInterval(tick, TICK_MS)
  listeners.add(listener)
  if (Date.now() - nowMs >= TICK_MS) tick()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** The current time, updated every half minute, so that relative times stay true. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => nowMs)
