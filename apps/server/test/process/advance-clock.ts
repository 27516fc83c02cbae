/**
 * A server process of a test loads this file. Each message from the test is a number of milliseconds, by which the
 * process sets its monotonic clock forwards, so that the test needs no sleep. The process then sends the message back.
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
