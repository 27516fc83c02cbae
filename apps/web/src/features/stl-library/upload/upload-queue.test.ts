import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { describe, expect, test } from 'vitest'
import { ApiError, NETWORK_FAILURE } from '@/lib/http/api-error.ts'
import type { UploadOptions } from '@/lib/http/uploads/upload.ts'
import { createUploadQueue, UPLOAD_FAILED } from './upload-queue.ts'

const aFile = (name: string) => new File(['solid'], name)
const aModel = (title: string) => ({ id: title, title, license_type: 'CC0' }) as Model

interface Sent extends UploadOptions {
  answer: (result: Model | ModelImport) => void
  fail: (error: unknown) => void
}

/** Returns a queue whose responses the test controls. */
function aQueue() {
  const sent: Sent[] = []
  const taken: string[] = []
  const queue = createUploadQueue({
    send: (options) =>
      new Promise((answer, fail) => {
        sent.push({ ...options, answer, fail })
        options.signal.addEventListener('abort', () => fail(options.signal.reason))
      }),
    onAccepted: ({ id }) => taken.push(id),
  })
  const statuses = () => queue.getJobs().map(({ state }) => state.status)
  const settle = () => new Promise<void>((resolve) => setTimeout(resolve))
  return { queue, sent, taken, statuses, settle }
}

describe('running uploads', () => {
  test('the upload queue sends two files at a time, in their order, and reports the progress of each', async () => {
    const { queue, sent, taken, statuses, settle } = aQueue()
    queue.add(['a.stl', 'b.stl', 'c.stl'].map(aFile), {})
    expect(statuses()).toEqual(['sending', 'sending', 'waiting'])
    sent[1]?.onProgress(3)
    expect(queue.getJobs()[1]?.state).toMatchObject({ status: 'sending', sentBytes: 3 })
    sent[0]?.answer(aModel('a'))
    await settle()
    expect(statuses()).toEqual(['arrived', 'sending', 'sending'])
    expect(sent.map(({ file }) => file?.name)).toEqual(['a.stl', 'b.stl', 'c.stl'])
    expect(taken).toEqual(['a'])
  })

  test('each upload has its own idempotency key', () => {
    const { queue, sent } = aQueue()
    queue.add(['a.stl', 'b.stl'].map(aFile), {})
    expect(sent[0]?.idempotencyKey).not.toBe(sent[1]?.idempotencyKey)
  })

  test('the upload queue notifies subscribers until they unsubscribe', () => {
    const { queue } = aQueue()
    let heard = 0
    const leave = queue.subscribe(() => (heard += 1))
    queue.add([aFile('a.stl')], {})
    const before = heard
    expect(before).toBeGreaterThan(0)
    leave()
    queue.stop()
    expect(heard).toBe(before)
  })
})

describe('a failed upload', () => {
  test.each([
    [
      'because of the network',
      new ApiError({ status: 0, detail: null, otherwise: NETWORK_FAILURE }),
      UPLOAD_FAILED,
      false,
    ],
    [
      'because of the server',
      new ApiError({ status: 503, detail: 'Come back later.', otherwise: '' }),
      'Come back later.',
      false,
    ],
    [
      'because of its content',
      new ApiError({ status: 422, detail: 'The file ends inside triangle 416.', otherwise: '' }),
      'The file ends inside triangle 416.',
      true,
    ],
  ])(
    'the upload queue reports why an upload fails %s, and starts the next one',
    async (_, error, message, isAboutFile) => {
      const { queue, sent, statuses, settle } = aQueue()
      queue.add(['a.stl', 'b.stl', 'c.stl'].map(aFile), {})
      sent[0]?.fail(error)
      await settle()
      expect(statuses()).toEqual(['failed', 'sending', 'sending'])
      expect(queue.getJobs()[0]?.state).toMatchObject({ message, isAboutFile })
    },
  )

  test('retrying a failed upload sends the same key and fields', async () => {
    const { queue, sent, statuses, settle } = aQueue()
    const [job] = queue.add([aFile('a.stl')], { title: 'A' })
    sent[0]?.fail(new Error('cut'))
    await settle()
    queue.retry(job?.id ?? '')
    expect(statuses()).toEqual(['sending'])
    expect(sent[1]).toMatchObject({ idempotencyKey: sent[0]?.idempotencyKey, fields: { title: 'A' } })
  })

  test('replacing the file of a failed upload sends the new file under another key', async () => {
    const { queue, sent, settle } = aQueue()
    const [job] = queue.add([aFile('a.stl')], { title: 'A' })
    sent[0]?.fail(new Error('bad'))
    await settle()
    queue.replace(job?.id ?? '', aFile('fixed.stl'))
    expect(queue.getJobs()[0]).toMatchObject({ name: 'fixed.stl', state: { status: 'sending' } })
    expect(sent[1]?.fields).toEqual({ title: 'A' })
    expect(sent[1]?.idempotencyKey).not.toBe(sent[0]?.idempotencyKey)
  })
})

describe('a cancelled upload', () => {
  test('the upload queue stops a cancelled upload, starts the next one, and can retry the cancelled one', async () => {
    const { queue, sent, statuses, settle } = aQueue()
    const jobs = queue.add(['a.stl', 'b.stl', 'c.stl'].map(aFile), {})
    queue.cancel(jobs[0]?.id ?? '')
    await settle()
    expect(sent[0]?.signal.aborted).toBe(true)
    expect(statuses()).toEqual(['cancelled', 'sending', 'sending'])
    queue.retry(jobs[0]?.id ?? '')
    expect(statuses()).toEqual(['waiting', 'sending', 'sending'])
    queue.remove(jobs[1]?.id ?? '')
    await settle()
    expect(statuses()).toEqual(['sending', 'sending'])
  })

  test('a cancelled upload that is retried immediately is not confused with its first attempt', async () => {
    const { queue, sent, statuses, settle } = aQueue()
    const [job] = queue.add([aFile('a.stl')], {})
    queue.cancel(job?.id ?? '')
    queue.retry(job?.id ?? '')
    await settle()
    expect(statuses()).toEqual(['sending'])
    sent[1]?.answer(aModel('a'))
    await settle()
    expect(statuses()).toEqual(['arrived'])
  })

  test('stopping the upload queue immediately aborts and removes all uploads', async () => {
    const { queue, sent, settle } = aQueue()
    queue.add(['a.stl', 'b.stl', 'c.stl'].map(aFile), {})
    queue.stop()
    await settle()
    expect(queue.getJobs()).toEqual([])
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })
})

test('an uploaded archive and a submitted web address both continue as an import', async () => {
  const { queue, sent, settle } = aQueue()
  queue.add([aFile('set.zip')], {})
  sent[0]?.answer({ id: 'import-1', source: 'archive' } as ModelImport)
  await settle()
  queue.follow({ id: 'import-2', url: 'https://models.example.com/a.stl' } as ModelImport)
  expect(queue.getJobs().map(({ state }) => state)).toEqual([
    { status: 'import', importId: 'import-1' },
    { status: 'import', importId: 'import-2' },
  ])
})
