import { hasRole } from '@pegasus/contracts/roles'
import { listOutboxMails } from '@pegasus/contracts/users'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders } from '../../platform/http/paging.ts'
import type { RootSecret } from '../../platform/secrets/root-secret.ts'
import { listOutbox } from './outbox.ts'

/** The outbox, as those may read it who pass its mails on. */
export function addOutboxRoutes(
  endpoints: Endpoints,
  deps: { database: Database; secret: RootSecret },
): void {
  endpoints.add(listOutboxMails, async ({ user, query, request, reply }) => {
    const reader = { isOwner: hasRole(user.user.role, 'owner') }
    const place = { cursor: decodeCursor(query.cursor), limit: query.limit }
    const page = await listOutbox(deps.database.sql, deps.secret, reader, place)
    sendPageHeaders(request, reply, page)
    return page.items
  })
}
