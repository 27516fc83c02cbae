import {
  type SpoolmanSetting,
  getSpoolmanSetting,
  listSpoolmanArticleNumbers,
  listSpoolmanFields,
  listSpoolmanLocations,
  listSpoolmanLotNumbers,
  listSpoolmanMaterials,
  listSpoolmanSettings,
} from '@pegasus/contracts/filament/spoolman-lists'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { Spoolman } from './spoolman.service.ts'

/** Settings that programs read. Settings that only Spoolman's own pages use are reported as not set. */
const settingsOf = (currency: string): Readonly<Record<string, SpoolmanSetting>> => ({
  currency: { value: JSON.stringify(currency), is_set: true, type: 'string' },
  round_prices: { value: 'false', is_set: false, type: 'boolean' },
  print_presets: { value: '[]', is_set: false, type: 'array' },
  extra_fields_vendor: { value: '[]', is_set: false, type: 'array' },
  extra_fields_filament: { value: '[]', is_set: false, type: 'array' },
  extra_fields_spool: { value: '[]', is_set: false, type: 'array' },
  base_url: { value: '""', is_set: false, type: 'string' },
  locations: { value: '[]', is_set: false, type: 'array' },
  locations_spoolorders: { value: '{}', is_set: false, type: 'object' },
})

export function addSpoolmanWordRoutes(
  endpoints: Endpoints,
  { spoolman, currency }: { spoolman: Pick<Spoolman, 'words'>; currency: string },
): void {
  const settings = settingsOf(currency)

  endpoints.add(listSpoolmanMaterials, async () => spoolman.words('material'))
  endpoints.add(listSpoolmanArticleNumbers, async () => spoolman.words('article_number'))
  endpoints.add(listSpoolmanLotNumbers, async () => spoolman.words('lot_number'))
  endpoints.add(listSpoolmanLocations, async () => spoolman.words('location'))

  endpoints.add(listSpoolmanSettings, async () => settings)
  endpoints.add(getSpoolmanSetting, async ({ params: { key } }) => {
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined
    if (!setting) throw new AppError('NOT_FOUND', { body: { message: `Setting ${key} does not exist.` } })
    return setting
  })
  endpoints.add(listSpoolmanFields, async () => [])
}
