import { write, writeSync } from 'node:fs'

/** The longest time that a line waits to be written together with others, unless the process ends. */
const FLUSH_MS = 100
const FLUSH_BYTES = 8192
/** The maximum size of waiting lines. If the output cannot be written, lines above it are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
/** How long the end of the process waits for a slow reader to take the last lines. */
const LAST_LINES_MS = 1000

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY')

/** Waits synchronously. The process is about to end, so asynchronous work would no longer run. */
const pause = (durationMs: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs)

/** Where a log writes its lines. */
export interface LogOutput {
  write(line: string): void
  /** Writes the waiting lines before it returns. */
  flushSync(): void
}

/**
 * Opens an output that writes lines to a file descriptor. Lines are dropped if they cannot be written, because their
 * reader has ended or its disk is full. This never stops the server or delays its end.
 */
export function openLogOutput(fd: number): LogOutput {
  let waiting = Buffer.alloc(0)
  let lines: string[] = []
  let sizeBytes = 0
  let isWriting = false
  let timer: NodeJS.Timeout | undefined

  const collect = (): void => {
    waiting = Buffer.concat([waiting, Buffer.from(lines.join(''))])
    lines = []
    sizeBytes = 0
  }

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (isWriting) return
    collect()
    if (waiting.length === 0) return
    isWriting = true
    const written = waiting
    waiting = Buffer.alloc(0)
    write(fd, written, (error, writtenBytes) => {
      isWriting = false
      const isLost = error !== null && (!isBusy(error) || written.length > MAX_WAITING_BYTES)
      if (!isLost) waiting = Buffer.concat([written.subarray(error ? 0 : writtenBytes), waiting])
      if (waiting.length > 0 || sizeBytes > 0) timer ??= setTimeout(flush, error ? FLUSH_MS : 0).unref()
    })
  }

  const flushSync = (): void => {
    collect()
    for (const givesUpAt = performance.now() + LAST_LINES_MS; waiting.length > 0; ) {
      try {
        waiting = waiting.subarray(writeSync(fd, waiting))
      } catch (error) {
        if (!isBusy(error) || performance.now() >= givesUpAt) waiting = Buffer.alloc(0)
        else pause(10)
      }
    }
  }

  process.on('exit', flushSync)
  return {
    write(line) {
      if (sizeBytes > MAX_WAITING_BYTES) return
      lines.push(line)
      sizeBytes += line.length
      if (sizeBytes >= FLUSH_BYTES) flush()
      else timer ??= setTimeout(flush, FLUSH_MS).unref()
    },
    flushSync,
  }
}
