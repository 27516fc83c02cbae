import { describe, expect, test } from 'vitest'
import { fileBytesSent, newIdempotencyKey } from './upload.ts'

describe('upload progress of a file', () => {
  test.each([
    ['while the fields are sent', 200, 1500, 1000, 0],
    ['in the middle of the file', 1000, 1500, 1000, 500],
    ['at the end', 1500, 1500, 1000, 1000],
    ['if the total is unknown', 400, 0, 1000, 400],
  ])('the uploaded bytes of a file are counted correctly %s', (_, loaded, total, fileBytes, sent) => {
    expect(fileBytesSent(loaded, total, fileBytes)).toBe(sent)
  })
})

test('each idempotency key is unique, even in browsers without randomUUID', () => {
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey())
  const { randomUUID } = crypto
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
  try {
    expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{32}$/)
  } finally {
    Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true })
  }
})
