import { listUsers } from '@pegasus/contracts/users/users'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callList } from '@/lib/http/api.ts'

/** Maximum number of listed accounts. People find others with the search. */
const MAX_SHOWN = 50

export const accountsQuery = (search: string) =>
  queryOptions({
    queryKey: ['users', 'choices', search],
    queryFn: ({ signal }) =>
      callList(listUsers, { query: { limit: MAX_SHOWN, ...(search && { search }) }, signal }),
    placeholderData: keepPreviousData,
  })
