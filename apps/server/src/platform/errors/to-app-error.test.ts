import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { StorageFullError, StorageUnavailableError } from '../storage/object-storage.ts'
import { toAppError } from './to-app-error.ts'

const refusal = (code: string): Error => Object.assign(new DatabaseError('no', 0, 'error'), { code })

const socketError = (code: string, fields: object = {}): Error =>
  Object.assign(new Error(`write ${code}`), { code, ...fields })

describe('database errors', () => {
  it.each(['22021', '22P05', '22007', '22008'])(
    'the database error %s is reported as invalid input',
    (code) => {
      expect(toAppError(refusal(code)).code).toBe('INVALID_INPUT')
    },
  )

  it.each(['57014', '55P03', '57P01', '53300', '08006'])(
    'the database error %s is reported as unavailable, and the response says when to retry',
    (code) => {
      expect(toAppError(refusal(code))).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 })
    },
  )

  it.each(['EPIPE', 'ECONNRESET'])(
    'a database socket that ends with %s is reported as unavailable',
    (code) => {
      expect(toAppError(socketError(code, { isDatabase: true })).code).toBe('UNAVAILABLE')
      expect(toAppError(socketError(code)).code).toBe('INTERNAL')
    },
  )

  it('if the database refuses a statement as invalid, an internal error is reported', () => {
    expect(toAppError(refusal('42601')).code).toBe('INTERNAL')
  })
})

it('toAppError distinguishes an unreachable storage from a full storage', () => {
  expect(toAppError(new StorageUnavailableError('away'))).toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 2,
  })
  expect(toAppError(new StorageFullError('full')).code).toBe('STORAGE_FULL')
})
