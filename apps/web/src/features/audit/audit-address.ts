import type { exportAudit } from '@pegasus/contracts/audit'
import type { CallOf } from '@pegasus/contracts/endpoint'
import { readText, withParams } from '@/lib/browser/address-state.ts'
import { type ActionGroup, findGroup } from './audit-groups.ts'

/** The filters of the audit log in the URL. The shell adds its own parameter, `tab`. */
export interface AuditFilters {
  search: string
  group: ActionGroup | null
  /** The id of an account or an API key, or a kind of actor: `api_key`, `system`. */
  actor: string
  /** The id of the changed object. */
  about: string
  /** First and last local calendar day, both included: `2026-11-21`. An empty string means no limit. */
  from: string
  to: string
}

export const NO_FILTERS: AuditFilters = { search: '', group: null, actor: '', about: '', from: '', to: '' }

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/**
 * Returns the start of the local calendar day that is `daysLater` days after this one; null for an invalid
 * day.
 */
function beginningOf(day: string, daysLater = 0): Date | null {
  const [, year, month, date] = DAY.exec(day)?.map(Number) ?? []
  if (!year || !month || !date) return null
  const isDay = new Date(year, month - 1, date).getDate() === date && month <= 12
  return isDay ? new Date(year, month - 1, date + daysLater) : null
}

const readDay = (params: URLSearchParams, name: string): string => {
  const day = readText(params, name)
  return beginningOf(day) ? day : ''
}

const readActor = (params: URLSearchParams): string => {
  const actor = readText(params, 'actor').toLowerCase()
  return UUID.test(actor) || actor === 'api_key' || actor === 'system' ? actor : ''
}

export const readFilters = (params: URLSearchParams): AuditFilters => ({
  search: readText(params, 'search'),
  group: findGroup(params.get('action')),
  actor: readActor(params),
  about: readText(params, 'about'),
  from: readDay(params, 'from'),
  to: readDay(params, 'to'),
})

/** Writes the filters into the URL. The open entry is closed, because the new list starts at the top. */
export const withFilters = (params: URLSearchParams, { group, ...texts }: AuditFilters): URLSearchParams =>
  withParams(params, { ...texts, action: group?.id ?? null, entry: null })

/** Returns the id of the entry whose details are shown. */
export const readOpenEntry = (params: URLSearchParams): string => readText(params, 'entry')

export const withOpenEntry = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { entry: id })

/** Converts the filters to query parameters of the server. */
export function auditQuery(filters: AuditFilters): NonNullable<CallOf<typeof exportAudit>['query']> {
  const { search, group, actor, about, from, to } = filters
  const kind = actor === 'api_key' || actor === 'system' ? actor : null
  return {
    ...(search && { search }),
    ...(group && { action: group.actions.join(',') }),
    ...(kind && { actor_kind: kind }),
    ...(actor && !kind && { actor }),
    ...(about && { entity_id: about }),
    ...(from && { from: beginningOf(from)?.toISOString() }),
    ...(to && { to: beginningOf(to, 1)?.toISOString() }),
  }
}
