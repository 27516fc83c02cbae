import {
  getSpoolmanSetting,
  listSpoolmanArticleNumbers,
  listSpoolmanLocations,
  listSpoolmanLotNumbers,
  listSpoolmanMaterials,
  listSpoolmanSettings,
  setSpoolmanSetting,
} from '@pegasus/contracts/filament/spoolman-lists'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { ProgramSettings } from './program-settings.service.ts'
import type { SpoolmanSockets } from './events/spoolman-sockets.ts'
import type { Spoolman } from './spoolman.service.ts'

export function addSpoolmanWordRoutes(
  endpoints: Endpoints,
  deps: { spoolman: Pick<Spoolman, 'words'>; settings: ProgramSettings; sockets: SpoolmanSockets },
): void {
  const { spoolman, settings, sockets } = deps
  endpoints.add(listSpoolmanMaterials, async () => spoolman.words('material'))
  endpoints.add(listSpoolmanArticleNumbers, async () => spoolman.words('article_number'))
  endpoints.add(listSpoolmanLotNumbers, async () => spoolman.words('lot_number'))
  endpoints.add(listSpoolmanLocations, async () => spoolman.words('location'))

  const onSettingSocket = sockets.onSocketFor('setting')
  endpoints.add(listSpoolmanSettings, () => settings.all(), onSettingSocket)
  endpoints.add(getSpoolmanSetting, ({ params }) => settings.get(params.key), onSettingSocket)
  endpoints.add(setSpoolmanSetting, ({ params, body, audit }) => settings.set(params.key, body, audit))
}
