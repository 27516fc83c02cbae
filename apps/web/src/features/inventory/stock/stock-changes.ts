import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { HELD_ITEM_STATUSES, itemStatus } from '@pegasus/contracts/statuses'

/** What was pressed of an item and is not, or not yet everywhere, in what the server tells of it. */
export interface StockChange {
  /** Pieces that wait for more presses. */
  unsent: number
  /** Pieces that are on their way. */
  sending: number
  /** What the server answered last; holds until a list tells as much or more. */
  settled: InventoryItem | null
}

interface StockChangesOptions<Moved extends InventoryItem> {
  send: (item: InventoryItem, delta: number) => Promise<Moved>
  onSettled: (moved: Moved) => void
  onFailed: (error: unknown) => void
  /** How long after the last press it is sent: ten presses are one movement. */
  restMs: number
}

const heldOf = ({ status }: InventoryItem) => HELD_ITEM_STATUSES.find((held) => held === status) ?? null

/** An item as it will be once what was pressed has arrived. */
export function withChange(item: InventoryItem, change: StockChange | undefined): InventoryItem {
  if (!change) return item
  const { settled, sending, unsent } = change
  const base = settled && settled.revision > item.revision ? settled : item
  const delta = sending + unsent
  if (delta === 0) return base
  const quantity = base.quantity + delta
  return {
    ...base,
    quantity,
    available_quantity: base.available_quantity + delta,
    status: itemStatus({ quantity, reorder_point: base.reorder_point, held: heldOf(base) }),
  }
}

export interface StockChanges {
  /** Adds pieces (positive) or takes some (negative): shown at once, sent after a rest, taken back if refused. */
  changeBy: (item: InventoryItem, delta: number) => void
  find: (id: string) => StockChange | undefined
  subscribe: (listener: () => void) => () => void
  /** Sends at once what still waits. */
  flush: () => void
}

const NONE: StockChange = { unsent: 0, sending: 0, settled: null }

export function createStockChanges<Moved extends InventoryItem>({
  send,
  onSettled,
  onFailed,
  restMs,
}: StockChangesOptions<Moved>): StockChanges {
  const changes = new Map<string, StockChange>()
  const items = new Map<string, InventoryItem>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const listeners = new Set<() => void>()

  const put = (id: string, part: Partial<StockChange>) => {
    changes.set(id, { ...(changes.get(id) ?? NONE), ...part })
    for (const listener of listeners) listener()
  }
  const schedule = (id: string) => {
    clearTimeout(timers.get(id))
    timers.set(
      id,
      setTimeout(() => void sendOne(id), restMs),
    )
  }
  const sendOne = async (id: string): Promise<void> => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    const item = items.get(id)
    const { unsent, sending } = changes.get(id) ?? NONE
    // One at a time: what is pressed meanwhile goes when this one has arrived.
    if (!item || unsent === 0 || sending !== 0) return
    put(id, { unsent: 0, sending: unsent })
    try {
      const after = await send(item, unsent)
      put(id, { sending: 0, settled: after })
      onSettled(after)
    } catch (error) {
      // What was pressed on top of it stood on a number that is not true.
      put(id, { sending: 0, unsent: 0 })
      onFailed(error)
    }
    if ((changes.get(id)?.unsent ?? 0) !== 0 && !timers.has(id)) schedule(id)
  }
  return {
    changeBy(item, delta) {
      items.set(item.id, item)
      put(item.id, { unsent: (changes.get(item.id)?.unsent ?? 0) + delta })
      schedule(item.id)
    },
    find: (id) => changes.get(id),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    flush() {
      for (const id of timers.keys()) void sendOne(id)
    },
  }
}
