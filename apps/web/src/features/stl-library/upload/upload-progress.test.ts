import { describe, expect, test } from 'vitest'
import { formatBytes, formatBytesOf } from '@/lib/format/bytes.ts'
import { formatTimeLeft, progressText, secondsLeft } from './upload-progress.ts'

const MB = 1024 * 1024

describe('remaining time of an upload', () => {
  test('the remaining time of an upload is computed from the average speed', () => {
    expect(secondsLeft(10 * MB, 15 * MB, 12_000)).toBe(6)
  })

  test.each([
    ['nothing is sent yet', 0, 10 * MB, 5000],
    ['the upload has just begun', 1 * MB, 10 * MB, 300],
    ['everything is sent', 10 * MB, 10 * MB, 5000],
  ])('the remaining time of an upload is unknown while %s', (_, sent, total, elapsed) => {
    expect(secondsLeft(sent, total, elapsed)).toBeNull()
  })

  test.each([
    [1, '1 s left'],
    [59, '59 s left'],
    [61, '2 min left'],
    [3601, '2 h left'],
  ])('the remaining time of an upload of %d seconds is shown as %s', (seconds, text) => {
    expect(formatTimeLeft(seconds)).toBe(text)
  })
})

describe('progress of an upload', () => {
  test('the upload progress is shown as a number of bytes, with the unit KB for small files', () => {
    expect(formatBytesOf(10.7 * MB, 15.1 * MB)).toBe('10.7 of 15.1 MB')
    expect(formatBytesOf(10 * 1024, 20.4 * 1024)).toBe('10.0 of 20.4 KB')
  })

  test.each([
    [0, '0.0 KB'],
    [20.4 * 1024, '20.4 KB'],
    [61.7 * MB, '61.7 MB'],
    [1.25 * 1024 * MB, '1.3 GB'],
  ])('an upload progress of %d bytes is shown as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  test('the upload progress never exceeds the total size', () => {
    expect(formatBytesOf(16 * MB, 15 * MB)).toBe('15.0 of 15.0 MB')
  })

  test('once all bytes are sent, the upload progress says what the upload is waiting for', () => {
    expect(progressText(15 * MB, 15 * MB, 9000)).toBe('15.0 of 15.0 MB · checking the model')
    expect(progressText(10 * MB, 15 * MB, 12_000)).toBe('10.0 of 15.0 MB · 6 s left')
  })
})
