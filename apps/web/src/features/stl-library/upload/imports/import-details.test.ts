import type { ArchiveEntry, ModelImport } from '@pegasus/contracts/stl-library/imports'
import { describe, expect, test } from 'vitest'
import {
  canRetryImport,
  countEntries,
  foldersOf,
  isWorthShowing,
  nameOfImport,
  whyNotChoosable,
} from './import-details.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

const anImport = (part: Partial<ModelImport>): ModelImport => ({
  id: '019aa000-0000-7000-8000-000000000000',
  source: 'url',
  status: 'fetching',
  url: 'https://models.example.com/arm.stl',
  file_name: null,
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

const anEntry = (part: Partial<ArchiveEntry>): ArchiveEntry => ({
  index: 0,
  name: 'arm.stl',
  size: 1000,
  format: 'stl',
  status: 'offered',
  stl_file_id: null,
  error: null,
  ...part,
})

describe('imports that this page did not start', () => {
  test.each<[string, Partial<ModelImport>, boolean]>([
    ['is shown while it is running', { status: 'importing' }, true],
    ['is shown while it waits for a choice', { status: 'choosing' }, true],
    ['is shown after it has failed', { status: 'failed' }, true],
    ['is shown if it has just finished', { status: 'done' }, true],
    [
      'is not shown hours after it has finished',
      { status: 'done', updated_at: '2026-11-21T09:00:00Z' },
      false,
    ],
    [
      'is shown hours later if some of its files have failed',
      { status: 'done', updated_at: '2026-11-21T09:00:00Z', entries: [anEntry({ status: 'failed' })] },
      true,
    ],
    ['is not shown if a person has cancelled it', { status: 'cancelled' }, false],
    ['is shown if the server has cancelled it', { status: 'cancelled', error: 'Nobody chose.' }, true],
  ])('an earlier import %s', (_, part, isShown) => {
    expect(isWorthShowing(anImport(part), NOW)).toBe(isShown)
  })
})

describe('the name of an import', () => {
  test.each([
    ['arm.stl', 'https://models.example.com/x', 'arm.stl'],
    [null, 'https://models.example.com/files/robot%20arm.stl?v=2', 'robot arm.stl'],
    [null, 'https://models.example.com/files/100%.stl', '100%.stl'],
    [null, 'https://models.example.com/', 'models.example.com'],
    [null, null, 'Import'],
  ])('the name of an import with the file %s and the address %s is %s', (file_name, url, name) => {
    expect(nameOfImport({ file_name, url })).toBe(name)
  })
})

describe('retries of an import', () => {
  test.each<[string, Partial<ModelImport>, boolean]>([
    ['of a failed download', { status: 'failed' }, true],
    ['of a finished download', { status: 'done' }, false],
    [
      'of failed files of a stored archive',
      { status: 'done', entries: [anEntry({ status: 'failed' })], expires_at: '2026-11-22T00:00:00Z' },
      true,
    ],
    [
      'of failed files of a deleted archive',
      { status: 'done', entries: [anEntry({ status: 'failed' })], expires_at: null },
      false,
    ],
    ['of an archive that waits for a choice', { status: 'choosing', entries: [anEntry({})] }, false],
  ])('canRetryImport decides whether a retry %s is possible: %o', (_, part, isPossible) => {
    expect(canRetryImport(anImport(part))).toBe(isPossible)
  })
})

describe('the files of an archive', () => {
  const entries = [
    anEntry({ index: 0, name: 'set/part10.stl', status: 'done' }),
    anEntry({ index: 1, name: 'set/part2.stl', status: 'failed' }),
    anEntry({ index: 2, name: 'read me.txt', format: null, status: 'skipped' }),
    anEntry({ index: 3, name: 'set/feet/left.obj', format: 'obj', status: 'waiting' }),
  ]

  test('the files of an archive are grouped by folder, in natural order', () => {
    expect(
      foldersOf(entries).map(({ path, entries: files }) => [path, files.map(({ name }) => name)]),
    ).toEqual([
      ['', ['read me.txt']],
      ['set', ['part2.stl', 'part10.stl']],
      ['set/feet', ['left.obj']],
    ])
  })

  test('the files of an archive are counted by status', () => {
    expect(countEntries(entries)).toEqual({ all: 4, models: 3, chosen: 3, done: 1, failed: 1 })
  })

  test.each([
    [anEntry({}), null],
    [anEntry({ name: 'read me.txt', format: null }), /^Not a model/],
    [anEntry({ name: 'more.ZIP', format: null }), /^An archive inside/],
    [anEntry({ name: 'odd', format: null, error: 'It is encrypted.' }), /^It is encrypted/],
  ])(
    'the upload dialog gives the correct reason why an archive file cannot be selected: %o',
    (entry, reason) => {
      const why = whyNotChoosable(entry)
      if (reason === null) expect(why).toBeNull()
      else expect(why).toMatch(reason)
    },
  )
})
