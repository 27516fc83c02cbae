import { getSpool, listFilament, listMaterials } from '@pegasus/contracts/filament/spools'
import { getFilamentForecast, listFilamentStock } from '@pegasus/contracts/filament/stock'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { mapPage } from '../../../platform/http/paging.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { presentSpool } from './spools.present.ts'
import type { Filament } from './spool-list.service.ts'

export function addFilamentRoutes(
  endpoints: Endpoints,
  deps: { filament: Filament; currency: string; clock: Clock },
): void {
  const { filament, currency, clock } = deps

  endpoints.add(listFilament, async ({ query }) => {
    const { search, material, status, archived, deleted, ...page } = query
    const found = await filament.list(
      {
        search,
        material,
        status,
        archived,
        ...(deleted && { inTrashSince: trashCutoff(clock.now()) }),
      },
      { sort: page.sort, cursor: page.cursor, limit: page.limit },
    )
    return mapPage(found, (row) => presentSpool(row, currency))
  })

  endpoints.add(listMaterials, () => filament.listMaterials())
  endpoints.add(listFilamentStock, () => filament.readStock())
  endpoints.add(getFilamentForecast, () => filament.readForecast())

  endpoints.add(getSpool, async ({ params }) => presentSpool(await filament.get(params.id), currency))
}
