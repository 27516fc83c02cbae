import { expect, it, onTestFinished } from 'vitest'
import { silentLog } from '../../test/support/silent-log.ts'
import { createTestDatabase } from '../../test/support/database/test-database.ts'
import { createCleanupRunner } from './cleanup-jobs.ts'

it('the cleanup runs in one process at a time, and continues after a failed job', async () => {
  const { database, drop } = await createTestDatabase()
  onTestFinished(drop)
  const gate = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const done: string[] = []
  const warnings: unknown[] = []
  const create = (name: string) =>
    createCleanupRunner({
      database,
      log: { ...silentLog, warn: (details: object) => void warnings.push(details) },
      jobs: [
        { name: 'bad', run: async () => Promise.reject(new Error('no')) },
        {
          name: 'slow',
          run: async () => {
            began.resolve()
            await gate.promise
            done.push(name)
          },
        },
      ],
    })
  const first = create('first').run()
  await began.promise
  await create('second').run()
  expect(done).toEqual([])
  gate.resolve()
  await first
  expect(done).toEqual(['first'])
  await create('third').run()
  expect(done).toEqual(['first', 'third'])
  expect(warnings).toMatchObject([{ job: 'bad' }, { job: 'bad' }])
})

it('the cleanup stops at once when the server stops', async () => {
  const { database, drop } = await createTestDatabase()
  onTestFinished(drop)
  const cleanup = createCleanupRunner({ database, log: silentLog, jobs: [] })
  cleanup.start()
  await cleanup.stop()
})
