import { createHash } from 'node:crypto'
import type { SystemStatus } from '@pegasus/contracts/system'
import { createBox } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { aMailServer } from '../../../test/servers/mail-server.ts'
import { entriesOf } from '../../../test/support/audit-entries.ts'
import { buildTestApp, type TestApp } from '../../../test/support/build-test-app.ts'
import { listFailedTasks as listed, retryFailedTask as retry } from '../../../test/support/failed-tasks.ts'
import { insertWaitingModel } from '../../../test/support/library/waiting-model.ts'
import { analyzed } from '../../../test/support/library/model-upload.ts'

type Headers = { authorization: string }

const BYTES = writeBinaryStl(createBox(12, 20, 5.5))
const SHA = createHash('sha256').update(BYTES).digest('hex')
const eventually = { timeout: 30_000, interval: 50 }

const dismiss = (app: TestApp, headers: Headers, id: string) =>
  app.http.inject({ method: 'DELETE', url: `/api/system/failed-tasks/${id}`, headers })

const failedIn = async (app: TestApp, headers: Headers, queue: string) =>
  (await app.http.inject({ url: '/api/system', headers }))
    .json<SystemStatus>()
    .queues.find(({ name }) => name === queue)?.failed

const actionsOf = async (app: TestApp) =>
  (await entriesOf(app)).map(({ action }) => action).filter((action) => action.startsWith('task.'))

/** Returns an app with a model whose file is missing. The analysis of the model has given up. */
async function aFailedAnalysis() {
  const app = await buildTestApp()
  const admin = await app.as('admin')
  const model = await insertWaitingModel(app, {
    title: 'secret dragon',
    sizeBytes: BYTES.byteLength,
    sha256: SHA,
  })
  await app.replica()
  await expect.poll(async () => (await listed(app, admin))[0]?.state, eventually).toBe('gave_up')
  const [task] = await listed(app, admin)
  if (!task) throw new Error('no failed task')
  return { app, admin, model, task }
}

describe('failed background tasks', () => {
  it('a background task that gave up is listed with its object, its attempts and its error', async () => {
    const { app, admin, model, task } = await aFailedAnalysis()
    expect(task).toMatchObject({
      queue: 'stl-library.analyse',
      state: 'gave_up',
      subject: 'secret dragon',
      subject_path: `/?tab=stl-library&model=${model.id}`,
      attempts: 3,
      next_attempt_at: null,
    })
    expect(task.error).toMatch(/\S/)
    expect(await failedIn(app, admin, 'stl-library.analyse')).toBe(1)
    // The row stays for a week, so that people can see a failure of Friday evening on Monday.
    const [kept] = await app.database.sql`
      select deletion_seconds from pgboss.job where id = ${task.id} and state = 'failed'`
    expect(kept).toEqual({ deletion_seconds: 7 * 24 * 3600 })

    const bundle = await app.http.inject({ url: '/api/system/support-bundle', headers: admin })
    expect(bundle.json()).toMatchObject({
      failed_tasks: [{ queue: 'stl-library.analyse', state: 'gave_up', attempts: 3 }],
    })
    expect(bundle.body).not.toContain('secret dragon')
    expect(bundle.body).not.toContain(task.error)
  })

  it('two administrators who try a task again at the same time start it once', async () => {
    const { app, admin, model, task } = await aFailedAnalysis()
    await app.storage.put(`models/${SHA}`, new Blob([BYTES.slice()]).stream())
    const other = await app.as('admin')
    const replica = await app.replica()
    const answers = await Promise.all([
      retry(app, admin, task.id),
      retry(replica, other, task.id),
      retry(app, admin, task.id),
    ])
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 404, 404])
    expect(answers.find(({ statusCode }) => statusCode === 200)?.json()).toEqual({ is_started: true })
    expect(answers.find(({ statusCode }) => statusCode === 404)?.json()).toMatchObject({
      detail: 'This task no longer needs a decision. Somebody may have tried it again already.',
    })
    expect(await analyzed(app, admin, model.id)).toMatchObject({ analysis_status: 'done', warnings: [] })
    expect(await listed(app, admin)).toEqual([])
    expect(await failedIn(app, admin, 'stl-library.analyse')).toBe(0)
    expect(await actionsOf(app)).toEqual(['task.retried'])
    const [jobs] = await app.database.sql<{ jobs: number }[]>`
      select count(*)::int as jobs from pgboss.job where name = 'stl-library.analyse'`
    expect(jobs).toEqual({ jobs: 1 })
  })

  it('a failed task can be removed from the list, and a task whose work is no longer wanted is not started', async () => {
    const { app, admin, model, task } = await aFailedAnalysis()
    // Simulate that a newer task has done the analysis in the meantime.
    await app.database.sql`
      update stl_versions set analysis_status = 'done', preview_key = 'previews/x' where stl_file_id = ${model.id}`
    expect((await retry(app, admin, task.id)).json()).toEqual({ is_started: false })
    expect(await listed(app, admin)).toEqual([])

    const second = await aFailedAnalysis()
    expect((await dismiss(second.app, second.admin, second.task.id)).statusCode).toBe(204)
    expect((await dismiss(second.app, second.admin, second.task.id)).statusCode).toBe(404)
    expect(await listed(second.app, second.admin)).toEqual([])
    expect(await actionsOf(second.app)).toEqual(['task.dismissed'])
  })

  it('an email that nobody accepted is sent from the outbox when its task is tried again', async () => {
    const server = await aMailServer({ refuses: 2, words: 'Mailbox is full' })
    const app = await buildTestApp({ variables: { SMTP_URL: server.url, MAIL_FROM: 'ops@example.com' } })
    await app.database.sql`update pgboss.queue set retry_limit = 1 where name = 'mail.send'`
    const admin = await app.as('admin')
    const name = await app.anAccount('viewer')
    const payload = { email: `${name}@example.com` }
    await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload })
    await expect.poll(async () => (await listed(app, admin))[0]?.state, eventually).toBe('gave_up')
    const [task] = await listed(app, admin)
    expect(task).toMatchObject({
      queue: 'mail.send',
      subject: null,
      attempts: 2,
      error: 'Message failed: 451 Mailbox is full',
    })
    const outbox = async () => (await app.database.sql`select id from outbox_mails`).length
    expect(await outbox()).toBe(1)
    expect((await retry(app, admin, task?.id ?? '')).json()).toEqual({ is_started: true })
    await expect.poll(() => server.received.length, eventually).toBe(1)
    expect(await outbox()).toBe(0)
  })

  it('a background task that fails repeatedly is listed before it gives up, and can be made due now', async () => {
    const server = await aMailServer({ refuses: 2, words: 'Try later' })
    const app = await buildTestApp({ variables: { SMTP_URL: server.url, MAIL_FROM: 'ops@example.com' } })
    const admin = await app.as('admin')
    const name = await app.anAccount('viewer')
    const payload = { email: `${name}@example.com` }
    await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload })
    await expect.poll(async () => (await listed(app, admin))[0]?.state, eventually).toBe('waiting')
    const [task] = await listed(app, admin)
    expect(task).toMatchObject({ queue: 'mail.send', attempts: 2, error: 'Message failed: 451 Try later' })
    expect(Date.parse(task?.next_attempt_at ?? '')).toBeGreaterThan(Date.parse(task?.failed_at ?? ''))
    // A task that the server still tries cannot be removed from the list.
    expect((await dismiss(app, admin, task?.id ?? '')).statusCode).toBe(404)
    await app.database
      .sql`update pgboss.job set start_after = now() + interval '1 hour' where id = ${task?.id ?? ''}`
    expect((await retry(app, admin, task?.id ?? '')).json()).toEqual({ is_started: true })
    await expect.poll(() => server.received.length, eventually).toBe(1)
    await expect.poll(() => listed(app, admin), eventually).toEqual([])
  })
})
