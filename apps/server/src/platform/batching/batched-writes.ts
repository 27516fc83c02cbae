import type { ServiceLog } from '../log/service-log.ts'

/**
 * Collects values by key during requests, and writes them together a short time later. Requests do not wait
 * for these writes. No value may be lost, so the values of a failed write are kept for the next one.
 */
export interface BatchedWrites<V> {
  /** Collects a value in memory, which cannot fail. If the key already has a value, `merge` combines the two. */
  add(key: string, value: V): void
  /** Writes everything collected so far. If the write fails, rethrows its error and keeps the values. */
  flush(): Promise<void>
  /**
   * Writes the remaining values at a normal shutdown, after the last request and before the database closes.
   * If values still cannot be written, logs how many.
   */
  close(): Promise<void>
}

export function createBatchedWrites<V>(options: {
  /** The name of the values in the log. */
  name: string
  /** The longest time that a value waits to be written. */
  intervalMs: number
  /** Combines two values of the same key, the earlier one first. */
  merge(earlier: V, later: V): V
  /** Writes all values or none, in one statement or transaction. */
  write(values: ReadonlyMap<string, V>): Promise<void>
  log: ServiceLog
}): BatchedWrites<V> {
  const { name, intervalMs, merge, write, log } = options
  let noted = new Map<string, V>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const keepAll = (failed: ReadonlyMap<string, V>): void => {
    const later = noted
    noted = new Map(failed)
    for (const [key, value] of later) put(key, value)
  }

  const put = (key: string, value: V): void => {
    const earlier = noted.get(key)
    noted.set(key, earlier === undefined ? value : merge(earlier, value))
  }

  const writeNoted = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (noted.size === 0) return
    const values = noted
    noted = new Map()
    try {
      await write(values)
    } catch (error) {
      keepAll(values)
      throw error
    }
  }

  /** Run one write at a time. Otherwise a later write could overtake an earlier one that still fails. */
  const flush = (): Promise<void> => {
    const next = writing.then(writeNoted)
    writing = next.catch(() => undefined)
    return next
  }

  const schedule = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      flush().catch((error: unknown) => {
        log.warn({ err: error, batch: name, values: noted.size }, 'noted values wait for the next write')
        schedule()
      })
    }, intervalMs).unref()
  }

  return {
    add(key, value) {
      put(key, value)
      schedule()
    },
    flush,
    async close() {
      await flush()
        .catch(flush)
        .catch((error: unknown) =>
          log.error({ err: error, batch: name, values: noted.size }, 'noted values are lost'),
        )
    },
  }
}
