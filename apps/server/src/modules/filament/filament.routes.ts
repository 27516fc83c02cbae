import { listFilament, listMaterials } from '@pegasus/contracts/filament'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders } from '../../platform/http/paging.ts'
import { presentSpool } from './filament.present.ts'
import type { Filament } from './filament.service.ts'

export function addFilamentRoutes(
  endpoints: Endpoints,
  deps: { filament: Filament; currency: string },
): void {
  const { filament, currency } = deps

  endpoints.add(listFilament, async ({ query, request, reply }) => {
    const filter = { search: query.search, material: query.material, status: query.status }
    const page = await filament.list(filter, { cursor: decodeCursor(query.cursor), limit: query.limit })
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => presentSpool(row, currency))
  })

  endpoints.add(listMaterials, () => filament.listMaterials())
}
