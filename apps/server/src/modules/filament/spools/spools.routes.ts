import {
  archiveSpool,
  createSpool,
  createSpools,
  deleteSpool,
  drySpool,
  restoreSpool,
  unarchiveSpool,
  updateSpool,
} from '@pegasus/contracts/filament/spool-changes'
import {
  correctSpool,
  listSpoolLedger,
  undoSpoolEntry,
  useSpool,
  weighSpool,
} from '@pegasus/contracts/filament/ledger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf, requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import { decodeCursor, sendPageHeaders } from '../../../platform/http/paging.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { presentEntry, presentSpool } from './spools.present.ts'
import type { Adder, Spools } from './spools.service.ts'
import type { SpoolLedger } from '../ledger/ledger.service.ts'

interface SpoolRoutesDeps {
  keeping: Spools
  ledger: SpoolLedger
  clock: Clock
  currency: string
}

const adderOf = (request: FastifyRequest, user: UserPrincipal, clock: Clock): Adder => ({
  accountId: user.accountId,
  idempotencyKey: idempotencyKeyOf(request),
  deed: auditContextOf(request, user, clock),
})

export function addSpoolRoutes(endpoints: Endpoints, deps: SpoolRoutesDeps): void {
  const { keeping, clock, currency } = deps

  const show = (row: Parameters<typeof presentSpool>[0], reply: FastifyReply) => {
    reply.header('etag', etagOf(row.revision))
    return presentSpool(row, currency)
  }

  endpoints.add(createSpool, async ({ body, user, request, reply }) => {
    const answer = await keeping.add(body, adderOf(request, user, clock))
    reply.header('etag', etagOf(answer.body.revision))
    return answer.body
  })

  endpoints.add(createSpools, async ({ body, user, request }) => {
    const answer = await keeping.addMany(body, adderOf(request, user, clock))
    return answer.body
  })

  endpoints.add(updateSpool, async ({ params, body, user, request, reply }) => {
    const revision = requiredRevisionIn(request)
    return show(await keeping.update(params.id, body, revision, auditContextOf(request, user, clock)), reply)
  })

  endpoints.add(deleteSpool, async ({ params, user, request }) => {
    await keeping.remove(params.id, revisionIn(request), auditContextOf(request, user, clock))
  })

  endpoints.add(restoreSpool, async ({ params, user, request, reply }) =>
    show(await keeping.restore(params.id, auditContextOf(request, user, clock)), reply),
  )

  endpoints.add(archiveSpool, async ({ params, user, request, reply }) =>
    show(await keeping.archive(params.id, true, auditContextOf(request, user, clock)), reply),
  )

  endpoints.add(unarchiveSpool, async ({ params, user, request, reply }) =>
    show(await keeping.archive(params.id, false, auditContextOf(request, user, clock)), reply),
  )

  endpoints.add(drySpool, async ({ params, body, user, request, reply }) => {
    const driedAt = body?.dried_at ? new Date(body.dried_at) : null
    return show(await keeping.dry(params.id, driedAt, auditContextOf(request, user, clock)), reply)
  })
}

export function addSpoolLedgerRoutes(endpoints: Endpoints, deps: SpoolRoutesDeps): void {
  const { ledger, clock } = deps

  endpoints.add(listSpoolLedger, async ({ params, query, request, reply }) => {
    const place = { cursor: decodeCursor(query.cursor), limit: query.limit }
    const page = await ledger.list(params.id, place)
    sendPageHeaders(request, reply, page)
    return page.items.map(presentEntry)
  })

  endpoints.add(useSpool, async ({ params, body, user, request }) =>
    ledger.use(params.id, body, adderOf(request, user, clock)),
  )

  endpoints.add(weighSpool, async ({ params, body, user, request }) =>
    ledger.weigh(params.id, body, adderOf(request, user, clock)),
  )

  endpoints.add(correctSpool, async ({ params, body, user, request }) =>
    ledger.correct(params.id, body, adderOf(request, user, clock)),
  )

  endpoints.add(undoSpoolEntry, async ({ params, user, request }) =>
    ledger.undo(params.id, adderOf(request, user, clock)),
  )
}
