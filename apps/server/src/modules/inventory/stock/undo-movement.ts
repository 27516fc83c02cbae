import { AppError } from '../../../platform/errors/app-error.ts'
import type { MovementRow, StockOfItem } from './movements.queries.ts'

/** What happened to the item since, without undone movements. */
interface Later {
  counted_at: string | null
  moved_at: string | null
}

const day = (moment: string): string => moment.slice(0, 10)

/** The reason why an undo would falsify later movements; null if it would not. */
function reasonAgainst(movement: MovementRow, item: StockOfItem, later: Later): string | null {
  const { kind, delta, reserved_delta: reservedDelta } = movement
  if (movement.undoes_id !== null)
    return 'This movement has itself taken another one back. Please make the change anew instead.'
  if (movement.print_job_id !== null)
    return 'A print job has told of these pieces. Please correct the quantity with a count instead.'
  if (movement.order_line_id !== null && (kind === 'ship' || kind === 'return'))
    return 'The order that these pieces belong to keeps count of its shipments. Please change it on the page of the order.'
  if (kind === 'move')
    return later.moved_at !== null || item.location_id !== movement.to_location_id
      ? 'The item has been put elsewhere since. Please move it instead.'
      : null
  if (delta === 0 && reservedDelta === 0) return 'This count has changed nothing that could be taken back.'
  if (delta !== 0 && later.counted_at !== null)
    return `The item was counted since, on ${day(later.counted_at)}, and what was found then holds.`
  return null
}

/** Throws MOVEMENT_ALREADY_UNDONE or, with the reason, MOVEMENT_NOT_UNDOABLE. */
export function assertUndoable(movement: MovementRow, item: StockOfItem, later: Later): void {
  if (movement.undone_by_id !== null) throw new AppError('MOVEMENT_ALREADY_UNDONE')
  const say = reasonAgainst(movement, item, later)
  if (say !== null) throw new AppError('MOVEMENT_NOT_UNDOABLE', { say })
}
