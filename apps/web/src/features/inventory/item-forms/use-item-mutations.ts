import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import {
  type BulkItemsBody,
  bulkInventory,
  deleteInventoryItem,
  restoreInventoryItem,
} from '@pegasus/contracts/inventory/item-changes'
import { useMutation } from '@tanstack/react-query'
import { tellFailure } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useBulkMove } from '@/components/use-bulk-delete.ts'
import { callApi } from '@/lib/http/api.ts'
import { useItemRefresh } from '../inventory.queries.ts'

type Named = Pick<InventoryItem, 'id' | 'name'>

export function useRestoreItem() {
  const refresh = useItemRefresh()
  return useMutation({
    mutationFn: ({ id }: Named) => callApi(restoreInventoryItem, { params: { id } }),
    onSuccess: ({ name }) => toast({ title: `“${name}” is back in the inventory` }),
    onError: tellFailure,
    onSettled: () => refresh(),
  })
}

/** Into the bin at once, with Undo beside what is said; what still hangs on it is told. */
export function useDeleteItem() {
  const refresh = useItemRefresh()
  const restore = useRestoreItem()
  return useMutation({
    mutationFn: ({ id }: Named) => callApi(deleteInventoryItem, { params: { id } }),
    onSuccess: (_, item) =>
      toast({
        title: `“${item.name}” is in the bin`,
        action: { label: 'Undo', onSelect: () => restore.mutate(item) },
      }),
    onError: tellFailure,
    onSettled: () => refresh(),
  })
}

/** One change for many. What it could not be made for stands in the answer, with the reason. */
export function useBulkItems() {
  const refresh = useItemRefresh()
  return useMutation({
    mutationFn: (body: BulkItemsBody) => callApi(bulkInventory, { body }),
    onSettled: () => refresh(),
  })
}

/** Into the bin, or out of it again. */
export const moveItems = (ids: string[], move: 'bin' | 'stock') =>
  callApi(bulkInventory, { body: { ids, move } })

/** Puts what was just added into the bin. */
export function useTakeBackItems() {
  const refresh = useItemRefresh()
  return useBulkMove({
    one: 'item',
    move: (ids) => moveItems(ids, 'bin'),
    done: (count) => `Undone, ${count} in the bin`,
    refresh: () => refresh(),
  })
}
