import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.ts'
import { openDatabase } from '../database/database.ts'
import { StorageUnavailableError } from '../storage/object-storage.ts'
import { createTasks, type TaskDefinition, type Tasks } from './tasks.ts'

interface Data {
  id: number
}

let test: TestDatabase
let running: Tasks[]

beforeEach(async () => {
  test = await createTestDatabase()
  running = []
})

afterEach(async () => {
  await Promise.all(running.map((tasks) => tasks.stop()))
  await test.drop()
})

function create(definition: Partial<TaskDefinition<Data>>, database = test.database): Tasks {
  const tasks = createTasks({ database, log: silentLog })
  tasks.register<Data>({
    name: 'test.task',
    deadlineSeconds: 30,
    retryLimit: 0,
    run: async () => undefined,
    ...definition,
  })
  running.push(tasks)
  return tasks
}

const enqueue = (tasks: Tasks, id: number, options = {}) =>
  tasks.enqueue(test.database.sql, 'test.task', { id }, options)

async function states(): Promise<Record<string, number>> {
  const rows = await test.database.sql<{ state: string; count: number }[]>`
    select state::text, count(*) from pgboss.job where name = 'test.task' group by 1`
  return Object.fromEntries(rows.map((row) => [row.state, row.count]))
}

const eventually = { timeout: 10_000, interval: 20 }

describe('background tasks', () => {
  it('a task runs with its data soon after the transaction that enqueued it', async () => {
    const seen: Array<[number, number]> = []
    const tasks = create({ run: async ({ id }, { attempt }) => void seen.push([id, attempt]) })
    await tasks.start()
    const before = performance.now()
    await test.database.transaction((tx) => tasks.enqueue(tx, 'test.task', { id: 7 }))
    tasks.wake('test.task')
    await expect.poll(() => seen, eventually).toEqual([[7, 1]])
    // A notification wakes the loop. Polling alone could take two seconds.
    expect(performance.now() - before).toBeLessThan(1_000)
    await expect.poll(states, eventually).toEqual({ completed: 1 })
  })

  it('a task never runs if the transaction that enqueued it is rolled back', async () => {
    const seen: number[] = []
    const tasks = create({ run: async ({ id }) => void seen.push(id) })
    await tasks.start()
    const rolledBack = test.database.transaction(async (tx) => {
      await tasks.enqueue(tx, 'test.task', { id: 1 })
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    await enqueue(tasks, 2)
    await expect.poll(() => seen, eventually).toEqual([2])
    expect(await states()).not.toHaveProperty('created')
  })

  it('a failed task is retried', async () => {
    const attempts: number[] = []
    const failed: string[] = []
    const tasks = create({
      retryLimit: 2,
      run: async (_data, { attempt }) => {
        attempts.push(attempt)
        if (attempt === 1) throw new Error('not yet')
      },
      onFailed: (_data, error) => void failed.push(error.message),
    })
    await tasks.start()
    await enqueue(tasks, 1)
    await expect.poll(states, eventually).toEqual({ completed: 1 })
    expect(attempts).toEqual([1, 2])
    expect(failed).toEqual([])
  })

  it('if a task fails permanently, the failure is reported once with the data and the error', async () => {
    const failed: unknown[] = []
    const tasks = create({
      retryLimit: 1,
      run: async () => {
        throw Object.assign(new TypeError('bad model'), { code: 'BAD_MODEL' })
      },
      onFailed: ({ id }, error) => void failed.push([id, error.name, error.message]),
    })
    await tasks.start()
    await enqueue(tasks, 5)
    await expect.poll(() => failed, eventually).toEqual([[5, 'TypeError', 'bad model']])
    const jobs = await test.database.sql`select state::text from pgboss.job where name = 'test.task.failed'`
    expect(jobs).toHaveLength(1)
    expect(await states()).toEqual({ failed: 1 })
  })

  it('a task waits up to an hour for an unreachable storage without using up an attempt', async () => {
    const attempts: number[] = []
    const failed: number[] = []
    const tasks = create({
      retryLimit: 0,
      run: async (_data, { attempt }) => {
        attempts.push(attempt)
        throw new StorageUnavailableError('away')
      },
      onFailed: ({ id }) => void failed.push(id),
    })
    await tasks.start()
    await enqueue(tasks, 1)
    const hasWaited = async (times: number) => {
      await expect.poll(() => attempts.length, eventually).toBe(times)
      await expect.poll(states, eventually).toEqual({ retry: 1 })
    }
    const { sql } = test.database
    for (const times of [1, 2, 3]) {
      await hasWaited(times)
      const [{ pause }] = await sql<[{ pause: number }]>`
        select extract(epoch from start_after - now())::float8 as pause from pgboss.job where name = 'test.task'`
      expect([pause > 5, pause <= 10]).toEqual([true, true])
      await sql`update pgboss.job set start_after = now() where name = 'test.task'`
    }
    await hasWaited(4)
    await sql`
      update pgboss.job set start_after = now(), created_on = now() - interval '61 minutes' where name = 'test.task'`
    await expect.poll(() => failed, eventually).toEqual([1])
    expect(attempts).toEqual([1, 1, 1, 1, 1])
  })

  it('a task is aborted at its deadline and counts as failed', async () => {
    const failed: string[] = []
    const aborted = Promise.withResolvers<void>()
    const tasks = create({
      deadlineSeconds: 1,
      run: (_data, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.resolve()
            reject(new Error('aborted'))
          })
        }),
      onFailed: (_data, error) => void failed.push(error.message),
    })
    await tasks.start()
    await enqueue(tasks, 1)
    await aborted.promise
    await expect.poll(() => failed, eventually).toEqual(['handler execution exceeded 1s'])
    await expect
      .poll(
        async () => (await tasks.listFailed(test.database.sql, 10)).map(({ error }) => error.message),
        eventually,
      )
      .toEqual(['The task did not finish in time.'])
  })

  it('a task of an unregistered kind is refused', async () => {
    const tasks = create({})
    await tasks.prepare()
    await expect(tasks.enqueue(test.database.sql, 'other.task', {})).rejects.toThrow(
      'There is no task other.task',
    )
  })
})

describe('unfinished work without a task', () => {
  it('after a start, each piece of unfinished work has exactly one task', async () => {
    const seen: number[] = []
    let open: Data[] = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]
    const close = async ({ id }: Data) => void (open = open.filter((work) => work.id !== id))
    const run = async (data: Data) => {
      seen.push(data.id)
      await close(data)
    }
    const definition = { listOpen: async () => open, run, onFailed: close }
    const before = create({})
    await before.prepare()
    for (const id of [1, 2, 5]) await enqueue(before, id)
    // Simulate that the server was off for two weeks. Task 2 is about to be dropped, and task 3 has no row anymore.
    await test.database.sql`
      update pgboss.job set keep_until = now() - interval '1 s', start_after = now() + interval '1 day'
      where name = 'test.task' and data = '{"id": 2}'`
    // Task 4 has failed permanently, but `onFailed` has not run for it yet.
    await test.database.sql`
      insert into pgboss.job (name, data, singleton_key, policy) values ('test.task.failed', '{"id": 4}', 'x', 'standard')`
    await Promise.all([create(definition), create(definition)].map((tasks) => tasks.start()))
    await expect.poll(() => seen.toSorted((a, b) => a - b), eventually).toEqual([1, 2, 3, 5])
    await create(definition).start()
    await expect.poll(states, eventually).toMatchObject({ completed: 4 })
    expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 5])
  })
})

describe('tasks with a key', () => {
  it('only one task per key can wait, while another task with the key may be running', async () => {
    const gate = Promise.withResolvers<void>()
    const seen: number[] = []
    const tasks = create({
      run: async ({ id }) => {
        seen.push(id)
        await gate.promise
      },
    })
    await tasks.prepare()
    for (const id of [1, 2, 3]) await enqueue(tasks, id, { singletonKey: 'a' })
    await enqueue(tasks, 4, { singletonKey: 'b' })
    expect(await states()).toEqual({ created: 2 })
    await tasks.start()
    await expect.poll(() => seen, eventually).toEqual([1])
    await enqueue(tasks, 5, { singletonKey: 'a' })
    await enqueue(tasks, 6, { singletonKey: 'a' })
    gate.resolve()
    await expect.poll(states, eventually).toEqual({ completed: 3 })
    expect(seen).toEqual([1, 4, 5])
  })

  it('a waiting task with a key does not run before a transaction that enqueued the same key commits', async () => {
    let value = 'old'
    const seen: string[] = []
    const tasks = create({ run: async () => void seen.push(value) })
    await tasks.prepare()
    await enqueue(tasks, 1, { singletonKey: 'a' })
    await test.database.transaction(async (tx) => {
      await tasks.enqueue(tx, 'test.task', { id: 2 }, { singletonKey: 'a' })
      await tasks.start()
      await enqueue(tasks, 3)
      // When task 3 has run, the loop has already skipped the waiting task, because it is locked.
      await expect.poll(() => seen, eventually).toEqual(['old'])
      value = 'new'
    })
    await expect.poll(() => seen, eventually).toEqual(['old', 'new'])
  })
})

describe('tasks in several processes', () => {
  it('several processes can prepare an empty database at the same time, and run each task once', async () => {
    const empty = await createTestDatabase({ isEmpty: true })
    const seen: number[] = []
    const databases = await Promise.all(
      [1, 2].map(() =>
        openDatabase({ connection: empty.connection, log: silentLog, applicationName: 'replica' }),
      ),
    )
    const replicas = databases.map((database) =>
      create({ concurrency: 2, run: async ({ id }) => void seen.push(id) }, database),
    )
    await Promise.all(replicas.map((tasks) => tasks.start()))
    const ids = Array.from({ length: 40 }, (_, index) => index)
    await Promise.all(
      ids.map(async (id) => replicas[id % 2]?.enqueue(empty.database.sql, 'test.task', { id })),
    )
    await expect.poll(() => seen.length, eventually).toBeGreaterThanOrEqual(40)
    expect([...seen].sort((a, b) => a - b)).toEqual(ids)
    await Promise.all(replicas.map((tasks) => tasks.stop()))
    await Promise.all(databases.map((database) => database.close()))
    running = []
    await empty.drop()
  })

  it('a task of a killed process is taken over by another process', async () => {
    const seen: number[] = []
    const tasks = create({ retryLimit: 1, run: async ({ id }) => void seen.push(id) })
    await tasks.prepare()
    await enqueue(tasks, 1)
    // The state of a task whose process was killed half a minute ago.
    await test.database.sql`
      update pgboss.job set state = 'active', started_on = now() - interval '31 s', heartbeat_on = now() - interval '31 s'
      where name = 'test.task'`
    await tasks.start()
    await expect.poll(() => seen, { timeout: 20_000, interval: 50 }).toEqual([1])
  })

  it('a process that stops waits for its running tasks', async () => {
    let isDone = false
    const started = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const tasks = create({
      run: async () => {
        started.resolve()
        await gate.promise
        isDone = true
      },
    })
    await tasks.start()
    await enqueue(tasks, 1)
    await started.promise
    const stopping = tasks.stop()
    gate.resolve()
    await stopping
    expect(isDone).toBe(true)
    expect(await states()).toEqual({ completed: 1 })
  })

  it('the next process runs a task that a stop has interrupted, and does not count the interrupted attempt', async () => {
    const attempts: number[] = []
    const failed: unknown[] = []
    const started = Promise.withResolvers<void>()
    const cut = Promise.withResolvers<never>()
    const first = create({
      run: async (_data, { attempt }) => {
        attempts.push(attempt)
        started.resolve()
        await cut.promise
      },
      onFailed: (_data, error) => void failed.push(error),
    })
    await first.start()
    await enqueue(first, 1, { singletonKey: 'a' })
    await started.promise
    // Another task with the same key waits, and must not conflict with the interrupted task.
    await enqueue(first, 2, { singletonKey: 'a' })
    const stopping = first.stop()
    cut.reject(new Error('the thread was ended'))
    await stopping
    const next = create({ run: async (_data, { attempt }) => void attempts.push(attempt) })
    await next.start()
    await expect.poll(states, eventually).toEqual({ completed: 2 })
    expect(attempts).toEqual([1, 1, 1])
    expect(failed).toEqual([])
  })

  it('a process that stops aborts running tasks that exceed a time limit', async () => {
    const started = Promise.withResolvers<void>()
    const tasks = create({
      run: (_data, { signal }) =>
        new Promise((_resolve, reject) => {
          started.resolve()
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    })
    await tasks.start()
    await enqueue(tasks, 1)
    await started.promise
    const before = performance.now()
    await tasks.stop()
    expect(performance.now() - before).toBeLessThan(8_000)
    expect(await states()).toEqual({ retry: 1 })
  })
})
