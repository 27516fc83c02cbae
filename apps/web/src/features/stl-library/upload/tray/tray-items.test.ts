import type { ArchiveEntry, ModelImport } from '@pegasus/contracts/stl-library/imports'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { describe, expect, test } from 'vitest'
import { archiveText, summarize, trayItems } from './tray-items.ts'
import type { UploadJob, UploadState } from '../upload-queue.ts'

const MB = 1024 ** 2
const NOW = Date.parse('2026-11-21T12:00:00Z')
const EARLIER = { areShown: true, nowMs: NOW }

const aJob = (state: UploadState, sizeBytes = 10 * MB): UploadJob => ({
  id: crypto.randomUUID(),
  name: 'arm.stl',
  sizeBytes,
  file: new File([], 'arm.stl'),
  fields: {},
  idempotencyKey: 'key',
  state,
})

const anImport = (id: string, part: Partial<ModelImport>): ModelImport => ({
  id,
  source: 'archive',
  status: 'choosing',
  url: null,
  file_name: 'set.zip',
  received_bytes: 0,
  total_bytes: null,
  entries: null,
  stl_file_id: null,
  error: null,
  created_at: '2026-11-21T11:00:00Z',
  updated_at: '2026-11-21T11:55:00Z',
  expires_at: null,
  ...part,
})

const entries = (...statuses: ArchiveEntry['status'][]): ArchiveEntry[] =>
  statuses.map((status, index) => ({
    index,
    name: `${index}.stl`,
    size: 1,
    format: 'stl',
    status,
    stl_file_id: null,
    error: null,
  }))

const arrived: UploadState = { status: 'arrived', model: { id: 'm' } as Model }
const failed: UploadState = { status: 'failed', message: 'No.', isAboutFile: true, errors: [] }
const items = (jobs: UploadJob[], imports: ModelImport[] = []) => trayItems(jobs, imports, EARLIER)

describe('the lines of the upload tray', () => {
  test('the upload tray lists the uploads of this page before earlier imports, and lists each import once', () => {
    const here = aJob({ status: 'import', importId: 'a' })
    const known = [anImport('b', {}), anImport('a', {}), anImport('c', { status: 'cancelled' })]
    expect(items([aJob(arrived), here], known).map(({ job, known: each }) => [!!job, each?.id])).toEqual([
      [true, undefined],
      [true, 'a'],
      [false, 'b'],
    ])
    expect(trayItems([here], known, { ...EARLIER, areShown: false })).toHaveLength(1)
  })

  test('the upload tray omits an import that was cancelled elsewhere', () => {
    const here = aJob({ status: 'import', importId: 'a' })
    expect(items([here])).toEqual([])
    expect(items([here], [anImport('a', { status: 'cancelled' })])).toEqual([])
  })
})

describe('the heading of the upload tray', () => {
  test('the heading of the upload tray counts running uploads and their bytes, but no cancelled uploads', () => {
    const jobs = [
      aJob(arrived),
      aJob({ status: 'sending', sentBytes: 4 * MB, elapsedMs: 1 }),
      aJob({ status: 'waiting' }),
      aJob(failed),
    ]
    expect(summarize(items(jobs))).toEqual({
      title: 'Uploading 2 of 4',
      failure: '1 failed',
      detail: '14.0 of 30.0 MB',
      announcement: '1 added, 1 failed',
    })
  })

  test('the heading of the upload tray summarizes the results', () => {
    const { title, failure, detail } = summarize(items([aJob(arrived), aJob(failed)], [anImport('a', {})]))
    expect([title, failure, detail]).toEqual(['1 added · 1 archive to choose from', '1 failed', null])
  })

  test('the heading of the upload tray also counts downloads that the server makes', () => {
    const fetching = anImport('a', {
      source: 'url',
      status: 'fetching',
      received_bytes: MB,
      total_bytes: 4 * MB,
    })
    expect(summarize(items([], [fetching]))).toMatchObject({
      title: 'Uploading 1 of 1',
      detail: '1.0 of 4.0 MB',
    })
  })

  test('the heading of the upload tray does not count earlier imports as running', () => {
    const earlier = [anImport('a', { status: 'failed' }), anImport('b', { status: 'importing' })]
    const { title, failure } = summarize(items([aJob({ status: 'waiting' })], earlier))
    expect([title, failure]).toEqual(['Uploading 2 of 2', null])
  })

  test('the heading of the upload tray counts an archive with a failed file as failed', () => {
    const partly = anImport('a', { status: 'done', entries: entries('done', 'failed') })
    expect(summarize(items([], [partly]))).toMatchObject({ title: '', failure: '1 failed' })
  })
})

test.each<[ModelImport['status'], ArchiveEntry[], string]>([
  ['choosing', entries('offered', 'offered'), '2 models in 2 files'],
  ['importing', entries('done', 'waiting', 'skipped'), '1 of 2 files'],
  ['done', entries('done', 'skipped'), '1 model added'],
  ['done', entries('done', 'failed'), '1 model added · 1 failed'],
])('the upload tray has its own status text for an archive that is %s (case %#)', (status, files, text) => {
  expect(archiveText(anImport('a', { status, entries: files }))).toBe(text)
})
