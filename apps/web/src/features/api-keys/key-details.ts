import { type ApiKey, type ApiKeyStatus, apiKeyStatus } from '@pegasus/contracts/api-keys'
import type { ApiKeyScope } from '@pegasus/contracts/roles'
import type { StatusTone } from '@pegasus/contracts/statuses'
import { formatDate } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const KEY_LOOKS: Readonly<Record<ApiKeyStatus, { label: string; tone: StatusTone }>> = {
  Active: { label: t('Active'), tone: 'green' },
  Disabled: { label: t('Disabled'), tone: 'grey' },
  Expired: { label: t('Expired'), tone: 'red' },
}

export const statusOf = (key: ApiKey, nowMs: number): ApiKeyStatus => apiKeyStatus(key, new Date(nowMs))

/** A key unused for this long may no longer be needed. */
const IDLE_DAYS = 30

export interface KeyFigures {
  total: number
  owners: number
  active: number
  /** The number of active keys that have been idle for long. */
  idle: number
  inactive: number
  expired: number
  /** The latest expiry in the past; null if no key has expired. */
  lastExpiryAt: string | null
}

/** Returns the figures for the cards. `inactive` counts disabled keys, whether or not they have expired. */
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

/** Returns the local midnight at the start of a day. */
const startOfDay = (moment: number | string): number => new Date(moment).setHours(0, 0, 0, 0)

/**
 * Formats the time until a date in calendar days: `in 365 days`, `in 1 day`, `today`. With calendar days, a
 * new key that is valid for 365 days shows exactly that.
 */
function formatIn(moment: string, nowMs: number): string {
  // The number is rounded, because a day on which the clocks change has 23 or 25 hours.
  const days = Math.round((startOfDay(moment) - startOfDay(nowMs)) / DAY_MS)
  return days < 1 ? t('today') : days === 1 ? t('in 1 day') : t('in {days} days', { days })
}

/** Formats the expiry: `20 Nov 2027, in 365 days`, or `never`. */
export function formatExpiry({ expires_at: expiresAt }: Pick<ApiKey, 'expires_at'>, nowMs: number): string {
  if (expiresAt === null) return t('never')
  const date = formatDate(expiresAt)
  return Date.parse(expiresAt) <= nowMs
    ? t('{date}, expired', { date })
    : `${date}, ${formatIn(expiresAt, nowMs)}`
}

export interface KeyFilters {
  search: string
  scope: ApiKeyScope | null
}

/** Returns the keys that match the filters. Each search word must occur in the label, the owner or the prefix. */
export function filterKeys(keys: readonly ApiKey[], { search, scope }: KeyFilters): ApiKey[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return keys.filter((key) => {
    const text = `${key.label} ${key.username} ${key.key_prefix}`.toLowerCase()
    return (scope === null || key.scope.includes(scope)) && words.every((word) => text.includes(word))
  })
}
