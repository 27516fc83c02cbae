import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { itemStatus } from '@pegasus/contracts/inventory/item-status'
import { HELD_ITEM_STATUSES } from '@pegasus/contracts/statuses'

/** Time in ms after the last click on − or + before the change is sent. */
export const DEBOUNCE_MS = 600

/**
 * Changes of an item's quantity with − and + that the server has not confirmed, or that the loaded lists do
 * not include yet.
 */
export interface StockChange {
  /** Pieces that have not been sent yet, because more clicks may follow. */
  unsent: number
  /** Pieces in the running request. */
  sending: number
  /** The item in the server's last response. It is used until a list has loaded the same or a later revision. */
  confirmed: InventoryItem | null
}

interface StockChangesOptions<Moved extends InventoryItem> {
  send: (item: InventoryItem, delta: number) => Promise<Moved>
  onSettled: (moved: Moved) => void
  onFailed: (error: unknown) => void
  /** Time in ms after the last click before the total is sent. Ten quick clicks become one movement. */
  debounceMs: number
}

const heldOf = ({ status }: InventoryItem) => HELD_ITEM_STATUSES.find((held) => held === status) ?? null

/** Returns the item with its pending changes applied. */
export function withChange(item: InventoryItem, change: StockChange | undefined): InventoryItem {
  if (!change) return item
  const { confirmed, sending, unsent } = change
  const base = confirmed && confirmed.revision > item.revision ? confirmed : item
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
  /**
   * Adds pieces (positive) or removes them (negative). The change shows immediately, is sent after a pause,
   * and is reverted if the server refuses it.
   */
  changeBy: (item: InventoryItem, delta: number) => void
  find: (id: string) => StockChange | undefined
  subscribe: (listener: () => void) => () => void
  /** Sends all pending changes immediately. */
  flush: () => void
}

const NONE: StockChange = { unsent: 0, sending: 0, confirmed: null }

export function createStockChanges<Moved extends InventoryItem>({
  send,
  onSettled,
  onFailed,
  debounceMs,
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
      setTimeout(() => void sendOne(id), debounceMs),
    )
  }
  const sendOne = async (id: string): Promise<void> => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    const item = items.get(id)
    const { unsent, sending } = changes.get(id) ?? NONE
    // Each item has at most one request at a time. Later clicks are sent after the response.
    if (!item || unsent === 0 || sending !== 0) return
    put(id, { unsent: 0, sending: unsent })
    try {
      const after = await send(item, unsent)
      put(id, { sending: 0, confirmed: after })
      onSettled(after)
    } catch (error) {
      // Later clicks were based on the refused quantity, so drop them too.
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
