import { hasRole } from '@pegasus/contracts/roles'
import { listOutboxMails } from '@pegasus/contracts/mail'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { pageRequestOf } from '../../platform/http/paging.ts'
import type { RootSecret } from '../../platform/root-secret.ts'
import { noteOutboxRead } from './outbox-reads.ts'
import { type FindEndedLinks, listOutbox } from './outbox.ts'

/** Adds the endpoint of the outbox. Admins and owners read emails there, to deliver them by hand. */
export function addOutboxRoutes(
  endpoints: Endpoints,
  deps: { database: Database; secret: RootSecret; findEndedLinks: FindEndedLinks },
): void {
  const { database, secret, findEndedLinks } = deps
  endpoints.add(listOutboxMails, async ({ user, query, audit }) => {
    const reader = { isOwner: hasRole(user.user.role, 'owner') }
    const page = pageRequestOf(query)
    return database.transaction(async (tx) => {
      const read = await listOutbox(tx, { secret, findEndedLinks, now: audit.now }, reader, page)
      await noteOutboxRead(tx, { readerId: user.accountId, mails: read.items }, audit)
      return read
    })
  })
}
