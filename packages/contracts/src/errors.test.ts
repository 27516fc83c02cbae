import { describe, expect, it } from 'vitest'
import { ACCOUNT_ERRORS } from './errors/account-errors.ts'
import { KEY_ERRORS } from './errors/api-key-errors.ts'
import { REST_ERRORS } from './errors/hosted-rest-errors.ts'
import { OPERATIONS_ERRORS } from './errors/operations-errors.ts'
import { STORAGE_ERRORS } from './errors/hosted-storage-errors.ts'

describe('the table of errors', () => {
  it('has each code in one of its parts only: of two, the later would silently win', () => {
    const parts = [ACCOUNT_ERRORS, KEY_ERRORS, REST_ERRORS, OPERATIONS_ERRORS, STORAGE_ERRORS]
    const codes = parts.flatMap((part) => Object.keys(part))
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  })
})
