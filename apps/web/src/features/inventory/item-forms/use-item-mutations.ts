import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import {
  type BulkItemsBody,
  bulkInventory,
  deleteInventoryItem,
  restoreInventoryItem,
} from '@pegasus/contracts/inventory/item-changes'
import { useMutation } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
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
    onError: toastError,
    onSettled: () => refresh(),
  })
}

/** Moves an item to the trash and offers Undo. */
export function useDeleteItem() {
  const refresh = useItemRefresh()
  const restore = useRestoreItem()
  return useMutation({
    mutationFn: ({ id }: Named) => callApi(deleteInventoryItem, { params: { id } }),
    onSuccess: (_, item) =>
      toast({
        title: `“${item.name}” is in the trash`,
        action: { label: 'Undo', onSelect: () => restore.mutate(item) },
      }),
    onError: toastError,
    onSettled: () => refresh(),
  })
}

/** Applies one change to many items. The result lists the items that failed, each with its reason. */
export function useBulkItems() {
  const refresh = useItemRefresh()
  return useMutation({
    mutationFn: (body: BulkItemsBody) => callApi(bulkInventory, { body }),
    onSettled: () => refresh(),
  })
}

/** Moves items to the trash, or restores them. */
export const bulkMoveItems = (ids: string[], move: 'bin' | 'stock') =>
  callApi(bulkInventory, { body: { ids, move } })

/** Undo of adding: moves the new items to the trash. */
export function useUndoAddItems() {
  const refresh = useItemRefresh()
  return useBulkMove({
    one: 'item',
    move: (ids) => bulkMoveItems(ids, 'bin'),
    done: (count) => `Undone, ${count} in the trash`,
    refresh: () => refresh(),
  })
}
