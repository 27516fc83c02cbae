import {
  adjustStock,
  countItemStock,
  moveItem,
  releaseStock,
  reserveStock,
  undoMovement,
} from '@pegasus/contracts/inventory/stock-movements'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { StockMovements } from './stock-movements.service.ts'

export function addStockMovementRoutes(
  endpoints: Endpoints,
  { movements }: { movements: StockMovements },
): void {
  endpoints.add(adjustStock, ({ params, body, caller }) => movements.adjust(params.id, body, caller))
  endpoints.add(countItemStock, ({ params, body, caller }) => movements.count(params.id, body, caller))
  endpoints.add(reserveStock, ({ params, body, caller }) => movements.reserve(params.id, body, caller))
  endpoints.add(releaseStock, ({ params, body, caller }) => movements.release(params.id, body, caller))
  endpoints.add(moveItem, ({ params, body, caller }) => movements.move(params.id, body, caller))
  endpoints.add(undoMovement, ({ params, audit }) => movements.undo(params.id, audit))
}
