import { describe, expect, it } from 'vitest'
import { changedFields, findSecret, storableFields } from './changes.ts'

describe('the changes that an audit entry stores', () => {
  it('the audit stores fields that differ at any depth or exist on only one side', () => {
    const before = {
      role: 'staff',
      name: 'J.',
      scope: ['a', 'b'],
      address: { city: 'Bonn' },
      since: 1,
      gone: true,
    }
    const after = {
      role: 'admin',
      name: 'J.',
      scope: ['a', 'c'],
      address: { city: 'Bonn' },
      since: null,
      made: 2,
    }
    expect(changedFields(before, after)).toEqual({
      before: { role: 'staff', scope: ['a', 'b'], since: 1, gone: true },
      after: { role: 'admin', scope: ['a', 'c'], since: null, made: 2 },
    })
  })

  it('the audit stores every field if one side is missing, and no field if both sides are equal', () => {
    expect(changedFields(undefined, { label: 'Shop' })).toEqual({ before: null, after: { label: 'Shop' } })
    expect(changedFields({ label: 'Shop' }, undefined)).toEqual({ before: { label: 'Shop' }, after: null })
    expect(changedFields({ label: 'Shop', at: undefined }, { label: 'Shop' })).toEqual({
      before: null,
      after: null,
    })
    expect(changedFields(undefined, undefined)).toEqual({ before: null, after: null })
  })
})

describe('the guard against secrets', () => {
  it.each([
    'password',
    'new_password',
    'newPassword',
    'passwords',
    'password_hash',
    'hash',
    'tokenHash',
    'refresh_token',
    'access_tokens',
    'token',
    'secret',
    'TOTP_SECRET',
    'clientSecret',
    'key',
    'api_key',
    'apiKeys',
    'PASSPHRASE',
  ])('T112 the guard against secrets finds the field %s at any depth', (name) => {
    expect(findSecret({ [name]: 'x' })).toBe(name)
    expect(findSecret({ list: [{ deep: { [name]: 'x' } }] })).toBe(`list.0.deep.${name}`)
    expect(findSecret({ [name]: { any: 1 } })).toBe(name)
  })

  it('the guard against secrets accepts fields that merely describe a secret', () => {
    const harmless = {
      key_prefix: 'pgk_1234',
      key_id: '1',
      password_changed_at: '2026-11-21',
      password: true,
      token: null,
      keys: 3,
      hashtag: '#',
      monkey: 'x',
      keyboard: 'x',
      tokenless: 'x',
      api_key_label: 'Shop',
      reason: 'wrong_password',
    }
    expect(findSecret(harmless)).toBeNull()
  })
})

it('an audit entry stores strings in a form that the database accepts', () => {
  expect(storableFields({ name: 'a\0b', list: ['\ud800'], count: 1 })).toEqual({
    name: 'a\uFFFDb',
    list: ['\uFFFD'],
    count: 1,
  })
  expect(storableFields(null)).toBeNull()
})
