import { channel } from 'node:diagnostics_channel'
import type { ObjectStorage } from './storage/object-storage.ts'

/** One call to a dependency. Subscribers, such as the metrics, receive it when the call has ended. */
export interface Measurement {
  /** The kind of call: `query`, or the name of a storage method. */
  name: string
  seconds: number
  hasFailed: boolean
}

/** The channels that publish measurements. Without a subscriber, nothing is measured. */
export const MEASURED = { database: 'pegasus.database', storage: 'pegasus.storage' } as const

const CHANNELS = { database: channel(MEASURED.database), storage: channel(MEASURED.storage) }

/** Runs a call and publishes how long it took. */
export async function measure<T>(
  subject: keyof typeof CHANNELS,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const measured = CHANNELS[subject]
  if (!measured.hasSubscribers) return work()
  const startedAt = performance.now()
  let hasFailed = true
  try {
    const result = await work()
    hasFailed = false
    return result
  } finally {
    const seconds = (performance.now() - startedAt) / 1000
    measured.publish({ name, seconds, hasFailed } satisfies Measurement)
  }
}

/** Measures the calls to a storage. The measured time of `open` ends when the first bytes arrive. */
export const measuredStorage = (storage: ObjectStorage): ObjectStorage => ({
  put: (key, source) => measure('storage', 'put', () => storage.put(key, source)),
  begin: () => storage.begin(),
  open: (key, range) => measure('storage', 'open', () => storage.open(key, range)),
  stat: (key) => measure('storage', 'stat', () => storage.stat(key)),
  delete: (key) => measure('storage', 'delete', () => storage.delete(key)),
  list: (prefix) => storage.list(prefix),
  withLocalFile: (key, work) => storage.withLocalFile(key, work),
  check: () => measure('storage', 'check', () => storage.check()),
  sweep: () => storage.sweep(),
})
