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
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { mapPage, pageRequestOf } from '../../../platform/http/paging.ts'
import { presentEntry, presentSpool } from './spools.present.ts'
import type { Spools } from './spools.service.ts'
import type { SpoolLedger } from '../ledger/ledger.service.ts'

interface SpoolRoutesDeps {
  spools: Spools
  ledger: SpoolLedger
  currency: string
}

export function addSpoolRoutes(endpoints: Endpoints, deps: SpoolRoutesDeps): void {
  const { spools, currency } = deps

  const show = (row: Parameters<typeof presentSpool>[0]) => presentSpool(row, currency)

  endpoints.add(createSpool, async ({ body, caller }) => (await spools.add(body, caller)).body)

  endpoints.add(createSpools, async ({ body, caller }) => (await spools.addMany(body, caller)).body)

  endpoints.add(updateSpool, async ({ params, body, request, audit }) => {
    const revision = requiredRevisionIn(request)
    return show(await spools.update(params.id, body, revision, audit))
  })

  endpoints.add(deleteSpool, async ({ params, request, audit }) => {
    await spools.remove(params.id, revisionIn(request), audit)
  })

  endpoints.add(restoreSpool, async ({ params, audit }) => show(await spools.restore(params.id, audit)))

  endpoints.add(archiveSpool, async ({ params, audit }) => show(await spools.archive(params.id, true, audit)))

  endpoints.add(unarchiveSpool, async ({ params, audit }) =>
    show(await spools.archive(params.id, false, audit)),
  )

  endpoints.add(drySpool, async ({ params, body, audit }) => {
    const driedAt = body?.dried_at ? new Date(body.dried_at) : null
    return show(await spools.dry(params.id, driedAt, audit))
  })
}

export function addSpoolLedgerRoutes(endpoints: Endpoints, deps: SpoolRoutesDeps): void {
  const { ledger } = deps

  endpoints.add(listSpoolLedger, async ({ params, query }) =>
    mapPage(await ledger.list(params.id, pageRequestOf(query)), presentEntry),
  )

  endpoints.add(useSpool, async ({ params, body, caller }) => ledger.use(params.id, body, caller))

  endpoints.add(weighSpool, async ({ params, body, caller }) => ledger.weigh(params.id, body, caller))

  endpoints.add(correctSpool, async ({ params, body, caller }) => ledger.correct(params.id, body, caller))

  endpoints.add(undoSpoolEntry, async ({ params, caller }) => ledger.undo(params.id, caller))
}
