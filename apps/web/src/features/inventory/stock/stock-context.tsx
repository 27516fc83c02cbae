import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { adjustStock, countItemStock } from '@pegasus/contracts/inventory/stock-movements'
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { toastError } from '@/components/toast-error.ts'
import { callApi } from '@/lib/http/api.ts'
import { newIdempotencyKey } from '@/lib/http/uploads/upload.ts'
import { createStockChanges, DEBOUNCE_MS, type StockChanges, withChange } from './pending-stock-changes.ts'
import { useAnnounceMovement } from './use-stock-movements.ts'

interface Stock {
  changes: StockChanges
  /** Records a counted quantity. */
  count: (item: InventoryItem, quantity: number) => Promise<void>
}

const StockContext = createContext<Stock | null>(null)

/** Lets the components below it change stock in place. Pending changes are sent when it unmounts. */
export function StockProvider({ children }: { children: ReactNode }) {
  const announce = useAnnounceMovement()
  const [stock] = useState((): Stock => {
    const changes = createStockChanges({
      send: (item, delta) =>
        callApi(adjustStock, {
          params: { id: item.id },
          body: { delta },
          headers: { 'Idempotency-Key': newIdempotencyKey() },
        }),
      onSettled: announce,
      onFailed: toastError,
      debounceMs: DEBOUNCE_MS,
    })
    const count = async (item: InventoryItem, quantity: number) => {
      try {
        announce(await callApi(countItemStock, { params: { id: item.id }, body: { quantity } }))
      } catch (error) {
        toastError(error)
      }
    }
    return { changes, count }
  })
  useEffect(() => {
    const { flush } = stock.changes
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [stock])
  return <StockContext value={stock}>{children}</StockContext>
}

export function useStock(): Stock {
  const stock = useContext(StockContext)
  if (!stock) throw new Error('useStock needs a StockProvider')
  return stock
}

/** Returns an item with its pending stock changes applied. */
export function useShownItem(item: InventoryItem): InventoryItem {
  const { changes } = useStock()
  const change = useSyncExternalStore(changes.subscribe, () => changes.find(item.id))
  return withChange(item, change)
}
