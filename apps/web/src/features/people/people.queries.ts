import { listOutboxMails, listUsers } from '@pegasus/contracts/users'
import { callList } from '@/lib/http/api.ts'
import { listQuery } from '@/lib/http/use-list.ts'
import type { PeopleFilters } from './people-address.ts'

/** Every query about people begins with it, so that whatever changes one refreshes them all. */
export const PEOPLE_KEY = 'users'

export const peopleListQuery = ({ search, role, status }: PeopleFilters) =>
  listQuery([PEOPLE_KEY, 'list', { search, role, status }], (page, signal) =>
    callList(listUsers, {
      query: { ...page, ...(search && { search }), ...(role && { role }), ...(status && { status }) },
      signal,
    }),
  )

export const outboxQuery = listQuery([PEOPLE_KEY, 'outbox'], (page, signal) =>
  callList(listOutboxMails, { query: page, signal }),
)
