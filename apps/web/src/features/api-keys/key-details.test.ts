import type { ApiKey } from '@pegasus/contracts/api-keys'
import { describe, expect, it } from 'vitest'
import { filterKeys, formatExpiry, keyFigures } from './key-details.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

const aKey = (key: Partial<ApiKey>): ApiKey => ({
  id: '01890000-0000-7000-8000-000000000000',
  key_prefix: 'pgo_Abc',
  label: 'Default',
  user_id: '01890000-0000-7000-8000-000000000001',
  username: 'okonkwo.j',
  owner_in_force: true,
  scope: ['integration'],
  is_active: true,
  expires_at: null,
  allowed_addresses: null,
  usage_count: 0,
  created_at: '2026-11-20T12:00:00Z',
  last_used: null,
  last_used_ip: null,
  ...key,
})

describe('figures of API keys', () => {
  it('keyFigures counts an API key that is both disabled and expired as inactive and as expired', () => {
    const keys = [
      aKey({}),
      aKey({ last_used: '2026-09-01T00:00:00Z' }),
      aKey({ is_active: false, user_id: '01890000-0000-7000-8000-000000000002' }),
      aKey({ expires_at: '2026-10-31T00:00:00Z' }),
      aKey({ expires_at: '2026-08-31T00:00:00Z', is_active: false }),
    ]
    expect(keyFigures(keys, NOW)).toEqual({
      total: 5,
      owners: 2,
      active: 2,
      idle: 1,
      inactive: 2,
      expired: 2,
      lastExpiryAt: '2026-10-31T00:00:00Z',
    })
  })

  it('keyFigures returns null as the last expiry if no API key has expired', () => {
    expect(keyFigures([], NOW)).toMatchObject({ total: 0, owners: 0, lastExpiryAt: null })
  })
})

describe('text for the expiry of API keys', () => {
  it.each([
    [null, 'never'],
    ['2026-11-21T11:59:59Z', 'expired'],
    ['2026-11-21T18:00:00Z', 'today'],
    ['2026-11-22T11:00:00Z', 'in 1 day'],
    ['2026-11-22T13:00:00Z', 'in 1 day'],
    ['2027-11-21T13:00:00Z', 'in 365 days'],
  ])('the expiry %s of an API key is shown as %s', (expiresAt, words) => {
    expect(formatExpiry({ expires_at: expiresAt }, NOW)).toContain(words)
  })
})

describe('filters of API keys', () => {
  const keys = [
    aKey({ label: 'Main shop, orders in', username: 'svc-storefront' }),
    aKey({ label: 'Printer agent', scope: ['print-jobs'], key_prefix: 'pgo_Qm07' }),
  ]

  it.each([
    [{ search: '', scope: null }, 2],
    [{ search: 'shop STOREFRONT', scope: null }, 1],
    [{ search: 'pgo_qm', scope: null }, 1],
    [{ search: '', scope: 'print-jobs' as const }, 1],
    [{ search: 'shop', scope: 'print-jobs' as const }, 0],
  ])('the API key filters %j find %i keys', (filters, count) => {
    expect(filterKeys(keys, filters)).toHaveLength(count)
  })
})
