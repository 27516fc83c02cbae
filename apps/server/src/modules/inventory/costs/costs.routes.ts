import {
  getCostSettings,
  getItemCost,
  saveItemCost,
  updateCostSettings,
} from '@pegasus/contracts/inventory/costs'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn } from '../../../platform/http/etag.ts'
import type { Costs } from './costs.service.ts'

export function addCostRoutes(endpoints: Endpoints, { costs }: { costs: Costs }): void {
  endpoints.add(getCostSettings, () => costs.getSettings())

  endpoints.add(updateCostSettings, async ({ body, request, audit }) =>
    costs.updateSettings(body, requiredRevisionIn(request), audit),
  )

  endpoints.add(getItemCost, ({ params }) => costs.ofItem(params.id))

  endpoints.add(saveItemCost, ({ params, audit }) => costs.save(params.id, audit))
}
