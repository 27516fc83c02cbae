/**
 * This file is loaded into a server process of a test. Each message of the test sets the monotonic clock of the process
 * forwards by a number of milliseconds, so that the test needs no sleep. The message is sent back when that is done.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const read = performance.now.bind(performance)
  let aheadMs = 0
  performance.now = () => read() + aheadMs
  process.on('message', (advanceMs: number) => {
    aheadMs += advanceMs
    process.send?.(advanceMs)
  })
  // The listener must not keep the process alive.
  process.channel?.unref()
}
