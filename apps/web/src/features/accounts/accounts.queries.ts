import { listUsers } from '@pegasus/contracts/users/users'
import { listOutboxMails } from '@pegasus/contracts/mail'
import type { AccountFilters } from './accounts-address.ts'
import { apiListQuery } from '@/lib/http/api-queries.ts'

/** Every query about accounts starts with this key, so that one invalidation refreshes them all. */
export const PEOPLE_KEY = 'users'

export const accountListQuery = ({ search, role, status }: AccountFilters) =>
  apiListQuery([PEOPLE_KEY, 'list', { search, role, status }], listUsers, {
    query: { ...(search && { search }), ...(role && { role }), ...(status && { status }) },
  })

export const outboxQuery = apiListQuery([PEOPLE_KEY, 'outbox'], listOutboxMails)
