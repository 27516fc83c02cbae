import { listAudit } from '@pegasus/contracts/audit'
import { MAX_PAGE_SIZE } from '@pegasus/contracts/fields'
import { listUsers } from '@pegasus/contracts/users/users'
import { queryOptions } from '@tanstack/react-query'
import { callList } from '@/lib/http/api.ts'
import { type AuditFilters, auditQuery } from './audit-address.ts'
import { apiListQuery } from '@/lib/http/api-queries.ts'
import { compareNames } from '@/lib/i18n/compare-names.ts'

/** Every query about the audit log starts with this key, so that a new entry refreshes them all. */
const AUDIT_KEY = 'audit'

export const auditListQuery = (filters: AuditFilters) =>
  apiListQuery([AUDIT_KEY, 'list', auditQuery(filters)], listAudit, { query: auditQuery(filters) })

/** Returns all possible actors, by name. */
export const actorsQuery = queryOptions({
  queryKey: ['users', 'names'],
  queryFn: async ({ signal }) => {
    const { items } = await callList(listUsers, { query: { limit: MAX_PAGE_SIZE }, signal })
    return items
      .map(({ id, full_name, username }) => ({ id, name: full_name || username }))
      .toSorted((a, b) => compareNames(a.name, b.name))
  },
})
