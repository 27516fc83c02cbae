import { hasRole } from '@pegasus/contracts/roles'
import { listOutboxMails } from '@pegasus/contracts/mail'
import { auditContextOf } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders } from '../../platform/http/paging.ts'
import type { RootSecret } from '../../platform/root-secret.ts'
import { noteOutboxRead } from './outbox-reads.ts'
import { type FindEndedLinks, listOutbox } from './outbox.ts'

/** Endpoint of the outbox, for admins and owners who pass its mails on. */
export function addOutboxRoutes(
  endpoints: Endpoints,
  deps: { database: Database; secret: RootSecret; clock: Clock; findEndedLinks: FindEndedLinks },
): void {
  const { database, secret, clock, findEndedLinks } = deps
  endpoints.add(listOutboxMails, async ({ user, query, request, reply }) => {
    const reader = { isOwner: hasRole(user.user.role, 'owner') }
    const place = { cursor: decodeCursor(query.cursor), limit: query.limit }
    const deed = auditContextOf(request, user, clock)
    const page = await database.transaction(async (tx) => {
      const read = await listOutbox(tx, { secret, findEndedLinks, now: deed.now }, reader, place)
      await noteOutboxRead(tx, { readerId: user.accountId, mails: read.items }, deed)
      return read
    })
    sendPageHeaders(request, reply, page)
    return page.items
  })
}
