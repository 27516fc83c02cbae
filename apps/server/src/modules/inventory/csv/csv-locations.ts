import { PATH_SEPARATOR } from '@pegasus/contracts/inventory/locations'
import type { Queryable } from '../../../platform/database/database.ts'
import { parseLocationPath } from '../locations/ensure-location.ts'
import type { RowPlan } from './csv-import-plan.ts'
import { listMissingLocations } from './csv.queries.ts'

/** The paths of the locations that these plans would create, for the preview: a typing error would be one of them. */
export async function findNewLocations(sql: Queryable, plans: readonly RowPlan[]): Promise<string[]> {
  const asked = new Map<string, 'place' | 'bin'>()
  for (const plan of plans) {
    const place = plan.action === 'create' ? plan.item.place : plan.action === 'update' ? plan.place : null
    if (!place) continue
    const { names, bin } = parseLocationPath(place)
    for (const end of names.keys()) asked.set(names.slice(0, end + 1).join(PATH_SEPARATOR), 'place')
    if (bin !== '') asked.set([...names, bin].join(PATH_SEPARATOR), 'bin')
  }
  return asked.size === 0 ? [] : listMissingLocations(sql, asked)
}
