import { fromMinor } from '@pegasus/contracts/money'
import type { Order } from '@pegasus/contracts/orders'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { OrderRow } from './orders.queries.ts'

/** An order in the words of the wire, in its own currency. */
export const presentOrder = (row: OrderRow, signer: PathSigner): Order => ({
  ...row,
  total_amount: fromMinor(row.total_minor, row.currency),
  items: row.lines.map((line) => ({
    ...line,
    unit_price: fromMinor(line.unit_price_minor, row.currency),
    stl_thumbnail_path: line.has_picture ? signer.sign(`/api/stl-files/${line.stl_file_id}/thumbnail`) : null,
  })),
})
