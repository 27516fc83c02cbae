import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PoolBusyError } from './bounded-queue.ts'
import {
  createWorkerPool,
  DeadlineError,
  OutOfMemoryError,
  type WorkerPool,
  type WorkerPoolOptions,
} from './worker-pool.ts'

const WORKER = `
type Task = { do: 'add' | 'spin' | 'fail' | 'hoard' | 'environment'; a?: number }
export default function work(task: Task): unknown {
  switch (task.do) {
    case 'add': return (task.a ?? 0) + 1
    case 'spin': for (;;);
    case 'fail': throw new TypeError('bad model')
    case 'environment': return Object.keys(process.env).length
    // Small objects, between which the thread can be ended. One array that doubles may exceed the limit in one step,
    // and V8 then ends the whole process.
    case 'hoard': { let kept: object = {}; for (;;) kept = { kept, numbers: [1, 2, 3] } }
  }
}`

let folder: string
let entry: URL
let pool: WorkerPool

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pegasus-workers-'))
  entry = pathToFileURL(join(folder, 'worker.ts'))
  await writeFile(entry, WORKER)
})

afterEach(() => pool.close())
afterAll(() => rm(folder, { recursive: true, force: true }))

function open(options: Partial<WorkerPoolOptions> = {}): WorkerPool {
  pool = createWorkerPool({
    entry,
    maxThreads: 1,
    maxQueue: 1,
    memoryLimitMb: 64,
    idleTimeoutMs: 50,
    ...options,
  })
  return pool
}

const deadlineMs = 20_000

describe('a worker pool', () => {
  it('a worker pool starts a thread only for a job, and ends all threads after some idle time', async () => {
    open()
    expect(pool.threadCount).toBe(0)
    expect(await pool.run({ do: 'add', a: 1 }, { deadlineMs })).toBe(2)
    await expect.poll(() => pool.threadCount).toBe(0)
    expect(await pool.run({ do: 'add', a: 2 }, { deadlineMs })).toBe(3)
  })

  it('a worker pool passes on the error that a job threw', async () => {
    await expect(open().run({ do: 'fail' }, { deadlineMs })).rejects.toThrow('bad model')
  })

  it('a worker pool hides the environment variables from its jobs', async () => {
    expect(await open().run({ do: 'environment' }, { deadlineMs })).toBe(0)
  })

  it('a worker pool ends an endless loop at its deadline, and then runs the next job', async () => {
    await expect(open().run({ do: 'spin' }, { deadlineMs: 300 })).rejects.toBeInstanceOf(DeadlineError)
    expect(await pool.run({ do: 'add', a: 1 }, { deadlineMs })).toBe(2)
  })

  it('a worker pool can abort an endless loop, and the job then ends with the given reason', async () => {
    const controller = new AbortController()
    const spinning = open().run({ do: 'spin' }, { deadlineMs, signal: controller.signal })
    await expect.poll(() => pool.threadCount).toBe(1)
    controller.abort(new Error('product stops'))
    await expect(spinning).rejects.toThrow('product stops')
    await expect.poll(() => pool.threadCount).toBe(0)
    await expect(pool.run({ do: 'add' }, { deadlineMs, signal: controller.signal })).rejects.toThrow(
      'product stops',
    )
  })

  it('a worker pool ends a job that takes too much memory, and then runs the next job', async () => {
    await expect(open().run({ do: 'hoard' }, { deadlineMs })).rejects.toBeInstanceOf(OutOfMemoryError)
    expect(await pool.run({ do: 'add', a: 1 }, { deadlineMs })).toBe(2)
  })

  it('a worker pool refuses jobs if the queue is full', async () => {
    const spin = { deadlineMs: 500 }
    const both = Promise.allSettled([open().run({ do: 'spin' }, spin), pool.run({ do: 'spin' }, spin)])
    await expect(pool.run({ do: 'add' }, { deadlineMs })).rejects.toBeInstanceOf(PoolBusyError)
    const outcomes = await both
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
  })

  it('a worker pool rejects running jobs when it is closed', async () => {
    const spinning = open().run({ do: 'spin' }, { deadlineMs }).catch(String)
    await expect.poll(() => pool.threadCount).toBe(1)
    await pool.close()
    expect(await spinning).toContain('Terminating worker thread')
  })
})
