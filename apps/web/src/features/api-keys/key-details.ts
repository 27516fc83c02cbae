import { type ApiKey, type ApiKeyStatus, apiKeyStatus } from '@pegasus/contracts/api-keys/api-keys'
import type { ApiKeyScope } from '@pegasus/contracts/api-keys/scopes'
import type { StatusTone } from '@pegasus/contracts/statuses'
import { formatDate } from '@/lib/format/format.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const KEY_TONES: Readonly<Record<ApiKeyStatus, StatusTone>> = {
  Active: 'green',
  Disabled: 'grey',
  Expired: 'red',
}

export const statusOf = (key: ApiKey, nowMs: number): ApiKeyStatus => apiKeyStatus(key, new Date(nowMs))

/** A key that nothing has used for so long may be one that nobody needs. */
const IDLE_DAYS = 30

export interface KeyFigures {
  total: number
  owners: number
  active: number
  /** Of the active ones. */
  idle: number
  inactive: number
  expired: number
  /** The last end that has come; null if none has. */
  lastExpiryAt: string | null
}

/** What the cards count. `inactive` is what was switched off, whether or not it has expired as well. */
export function keyFigures(keys: readonly ApiKey[], nowMs: number): KeyFigures {
  const expired = keys.filter((key) => statusOf(key, nowMs) === 'Expired')
  const active = keys.filter((key) => statusOf(key, nowMs) === 'Active')
  const isIdle = ({ last_used: lastUsed, created_at: createdAt }: ApiKey): boolean =>
    Date.parse(lastUsed ?? createdAt) < nowMs - IDLE_DAYS * DAY_MS
  return {
    total: keys.length,
    owners: new Set(keys.map((key) => key.user_id)).size,
    active: active.length,
    idle: active.filter(isIdle).length,
    inactive: keys.filter((key) => !key.is_active).length,
    expired: expired.length,
    lastExpiryAt: expired.map((key) => key.expires_at ?? '').reduce((a, b) => (a > b ? a : b), '') || null,
  }
}

/** The midnight with which a day of this place begins. */
const startOfDay = (moment: number | string): number => new Date(moment).setHours(0, 0, 0, 0)

/** Days of the calendar, so that a key made for 365 days says so: `in 365 days`, `in 1 day`, `today`. */
function formatIn(moment: string, nowMs: number): string {
  // Rounded, since a day on which the clocks change has 23 or 25 hours.
  const days = Math.round((startOfDay(moment) - startOfDay(nowMs)) / DAY_MS)
  return days < 1 ? 'today' : days === 1 ? 'in 1 day' : `in ${days} days`
}

/** `20 Nov 2027, in 365 days`; `never`. */
export function formatExpiry({ expires_at: expiresAt }: Pick<ApiKey, 'expires_at'>, nowMs: number): string {
  if (expiresAt === null) return 'never'
  const date = formatDate(expiresAt)
  return Date.parse(expiresAt) <= nowMs ? `${date}, over` : `${date}, ${formatIn(expiresAt, nowMs)}`
}

export interface KeyFilters {
  search: string
  scope: ApiKeyScope | null
}

/** Each word must occur in label, owner or prefix. */
export function filterKeys(keys: readonly ApiKey[], { search, scope }: KeyFilters): ApiKey[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return keys.filter((key) => {
    const text = `${key.label} ${key.username} ${key.key_prefix}`.toLowerCase()
    return (scope === null || key.scope.includes(scope)) && words.every((word) => text.includes(word))
  })
}
