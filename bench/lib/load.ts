import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { percentile } from './figures.ts'
import type { Request } from './http-client.ts'
import type { Scratch } from './scratch.ts'

/**
 * Requests that change data. One of them is sent before each measured request, so that each measured response is the
 * first after a change. Their own time is not measured.
 */
export interface Changes {
  port: number
  requests: readonly Request[]
}

export interface Load {
  port: number
  /** The requests are sent one after another, and repeated from the start. */
  requests: readonly Request[]
  changes?: Changes | undefined
  connections: number
  windowMs: number
}

export interface LoadResult {
  durations: number[]
  failures: number
  seconds: number
}

export interface Throughput {
  perSecond: number
  p95Ms: number
}

/**
 * Starts the process that sends requests. It is separate from the servers, and serves the whole run, so that its code
 * is compiled when it measures.
 */
export function startLoadGenerator(scratch: Scratch): (load: Load) => Promise<Throughput> {
  const child = fork(fileURLToPath(new URL('./load.child.ts', import.meta.url)), {
    serialization: 'advanced',
  })
  scratch.onEnd(() => child.connected && child.disconnect())
  return async (load) => {
    const done = new AbortController()
    child.send(load)
    const [result] = (await Promise.race([
      once(child, 'message', { signal: done.signal }),
      once(child, 'exit', { signal: done.signal }).then(() => {
        throw new Error('the load generator ended')
      }),
    ]).finally(() => done.abort())) as [LoadResult]
    if (result.failures > 0)
      throw new Error(
        `${result.failures} of ${result.durations.length} answers were refusals: ${load.requests[0]?.path}`,
      )
    return {
      perSecond: result.durations.length / result.seconds,
      p95Ms: percentile(result.durations, 0.95),
    }
  }
}
