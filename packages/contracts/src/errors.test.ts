import { describe, expect, it } from 'vitest'
import { ACCOUNT_ERRORS } from './account-errors.ts'
import { KEY_ERRORS } from './key-errors.ts'
import { REST_ERRORS } from './rest-errors.ts'
import { SHOP_ERRORS } from './shop-errors.ts'
import { STORAGE_ERRORS } from './storage-errors.ts'

describe('the table of errors', () => {
  it('has each code in one of its parts only: of two, the later would silently win', () => {
    const parts = [ACCOUNT_ERRORS, KEY_ERRORS, REST_ERRORS, SHOP_ERRORS, STORAGE_ERRORS]
    const codes = parts.flatMap((part) => Object.keys(part))
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  })
})
