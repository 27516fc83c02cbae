import type { ServiceLog } from './service-log.ts'

/**
 * Values that are noted on the path of requests and written beside it: collected by key, and written together after a
 * short while. What nobody waits for must not be lost either, so a write that fails keeps its values for the next.
 */
export interface BatchedWrites<V> {
  /** Notes a value; takes no time and cannot fail. Two of the same key become one by `merge`. */
  add(key: string, value: V): void
  /** Writes what has been noted until now. Throws what the write throws; its values stay noted. */
  flush(): Promise<void>
  /**
   * Writes what is left, for a clean stop: once no request adds anything any more, and before the database closes.
   * What cannot be written even then is logged with its number.
   */
  close(): Promise<void>
}

export function createBatchedWrites<V>(options: {
  /** What is written, for the log. */
  name: string
  /** How long a value waits at most before it is written. */
  intervalMs: number
  /** One value of two for the same key, the earlier one first. */
  merge(earlier: V, later: V): V
  /** Writes all or nothing, as one statement or transaction. */
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

  /** One write at a time: a later one must not overtake an earlier one that still may fail. */
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
