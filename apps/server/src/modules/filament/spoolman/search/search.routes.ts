import { searchSpoolman } from '@pegasus/contracts/filament/spoolman'
import type { Endpoints } from '../../../../platform/http/endpoints.ts'
import { presentFilament, presentSpoolmanSpool, presentVendor } from '../spoolman.present.ts'
import type { SearchSpoolman } from './search.service.ts'

export function addSpoolmanSearchRoutes(
  endpoints: Endpoints,
  { search, currency }: { search: SearchSpoolman; currency: string },
): void {
  endpoints.add(searchSpoolman, async ({ query }) => {
    const { spools_per_filament: most } = query
    const found = await search({
      text: query.q,
      threshold: query.color_similarity_threshold,
      limit: query.limit,
      allowArchived: query.allow_archived,
      spoolsPerFilament: most,
    })
    return {
      spools: found.spools.map(({ row, field }) => ({
        spool: presentSpoolmanSpool(row, currency),
        match_field: field,
      })),
      filaments: found.filaments.map(({ row, field, spools }) => ({
        filament: presentFilament(row, currency),
        match_field: field,
        ...(spools && {
          spools: spools.slice(0, most).map(({ id, remaining_weight: left, location, archived }) => ({
            id,
            remaining_weight: left,
            location: location ?? undefined,
            archived,
          })),
          spool_count: spools.length,
        }),
      })),
      vendors: found.vendors.map(({ row, field }) => ({ vendor: presentVendor(row), match_field: field })),
      is_color_query: found.isColor,
    }
  })
}
