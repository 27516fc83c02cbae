import { type InventoryItem } from '@pegasus/contracts/inventory/items'
import { type StockMovement } from '@pegasus/contracts/inventory/stock-movements'
import { actorOfColumns } from '../../../platform/actor.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { presentPrices } from './item-fields.ts'
import type { ItemRow } from './items.queries.ts'
import type { MovementRow } from '../stock/movements.queries.ts'

export interface Presentation {
  signer: PathSigner
  /** The code of the currency of all amounts. */
  currency: string
}

/** Converts an item to the API format. The response schema drops other fields. */
export function presentItem(row: ItemRow, { signer, currency }: Presentation): InventoryItem {
  return {
    ...row,
    available_quantity: row.quantity - row.reserved_quantity,
    color_hex: row.color_hex && `#${row.color_hex}`,
    ...presentPrices(row, currency),
    stl_thumbnail_path: row.has_picture ? signer.sign(`/api/stl-files/${row.stl_file_id}/thumbnail`) : null,
    qr_code_path: signer.sign(`/api/inventory/${row.id}/label`),
  }
}

function documentOf(row: MovementRow): StockMovement['document'] {
  const { order_id: orderId, print_job_id: jobId } = row
  if (orderId !== null) return { kind: 'order', id: orderId, name: row.order_number ?? '' }
  return jobId === null ? null : { kind: 'print_job', id: jobId, name: row.job_code ?? '' }
}

export const presentMovement = (row: MovementRow): StockMovement => ({
  ...row,
  inventory_item_id: row.item_id,
  document: documentOf(row),
  actor: actorOfColumns(row),
})
