import { channel } from 'node:diagnostics_channel'
import type { ObjectStorage, PendingObject } from './storage/object-storage.ts'
import { currentTracing, trace } from './tracing/tracing.ts'

/** One call to a dependency. Subscribers, such as the metrics, receive it when the call has ended. */
export interface Measurement {
  /** The kind of call: `query`, or the name of a storage method. */
  name: string
  seconds: number
  hasFailed: boolean
}

/**
 * The names of the diagnostics channels on which measurements are published. Without a subscriber, nothing is measured.
 */
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

/**
 * Runs a call to the storage, and records it as a span. The span has no key, because the key of a picture is part of
 * its address.
 */
const traceStorage = <T>(call: string, work: () => Promise<T>): Promise<T> =>
  trace({ name: `storage ${call}`, kind: 'client' }, work)

const callStorage = <T>(call: string, work: () => Promise<T>): Promise<T> =>
  traceStorage(call, () => measure('storage', call, work))

/** Measures the calls to a storage. The measured time of `open` ends when the first bytes arrive. */
export const measuredStorage = (storage: ObjectStorage): ObjectStorage => ({
  put: (key, source) => callStorage('put', () => storage.put(key, source)),
  begin: async (origin) => {
    const pending = await storage.begin(origin)
    return currentTracing() === null ? pending : tracedPending(pending)
  },
  open: (key, range) => callStorage('open', () => storage.open(key, range)),
  stat: (key) => callStorage('stat', () => storage.stat(key)),
  delete: (key, tx) => callStorage('delete', () => storage.delete(key, tx)),
  list: (prefix) => storage.list(prefix),
  withLocalFile: (key, work) => traceStorage('withLocalFile', () => storage.withLocalFile(key, work)),
  check: () => callStorage('check', () => storage.check()),
  sweep: () => traceStorage('sweep', () => storage.sweep()),
})

/** Records the slow calls of an upload as spans. `write` is called for each chunk, so it gets no span. */
const tracedPending = (pending: PendingObject): PendingObject => ({
  write: (chunk) => pending.write(chunk),
  withLocalFile: (work) => pending.withLocalFile(work),
  seal: (key) => traceStorage('seal', () => pending.seal(key)),
  commit: (key) => traceStorage('commit', () => pending.commit(key)),
  abort: () => pending.abort(),
})
