import {
  addMaintenancePlan,
  changeMaintenancePlan,
  deleteMaintenancePlan,
  getPrinterMaintenance,
  servicePrinter,
} from '@pegasus/contracts/print-queue/maintenance'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { PrinterMaintenance } from './maintenance.service.ts'

export function addMaintenanceRoutes(
  endpoints: Endpoints,
  { maintenance }: { maintenance: PrinterMaintenance },
): void {
  endpoints.add(getPrinterMaintenance, ({ params }) => maintenance.get(params.id))

  endpoints.add(
    addMaintenancePlan,
    async ({ params, body, caller }) => (await maintenance.addPlan(params.id, body, caller)).body,
  )

  endpoints.add(changeMaintenancePlan, ({ params, body, audit }) =>
    maintenance.changePlan(params.id, params.plan_id, body, audit),
  )

  endpoints.add(deleteMaintenancePlan, ({ params, audit }) =>
    maintenance.deletePlan(params.id, params.plan_id, audit),
  )

  endpoints.add(
    servicePrinter,
    async ({ params, body, caller }) => (await maintenance.service(params.id, body, caller)).body,
  )
}
