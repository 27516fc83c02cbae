import { getProductionReport } from '@pegasus/contracts/print-queue/production-report'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { ProductionReport } from './production-report.service.ts'

export function addProductionReportRoutes(endpoints: Endpoints, report: ProductionReport): void {
  endpoints.add(getProductionReport, ({ query }) => {
    const { by, from, to, time_zone: timeZone, inventory_item_id: itemId, order_id: orderId } = query
    return report(by, { from, to, timeZone }, { itemId, orderId })
  })
}
