import { listUsers } from '@pegasus/contracts/users/users'
import { listOutboxMails } from '@pegasus/contracts/mail'
import { callList } from '@/lib/http/api.ts'
import { listQuery } from '@/lib/http/use-list.ts'
import type { AccountFilters } from './accounts-address.ts'

/** Common prefix of all queries about accounts, so that a change refreshes them all. */
export const PEOPLE_KEY = 'users'

export const accountListQuery = ({ search, role, status }: AccountFilters) =>
  listQuery([PEOPLE_KEY, 'list', { search, role, status }], (page, signal) =>
    callList(listUsers, {
      query: { ...page, ...(search && { search }), ...(role && { role }), ...(status && { status }) },
      signal,
    }),
  )

export const outboxQuery = listQuery([PEOPLE_KEY, 'outbox'], (page, signal) =>
  callList(listOutboxMails, { query: page, signal }),
)
