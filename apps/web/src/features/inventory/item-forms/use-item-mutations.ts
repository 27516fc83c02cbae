import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import {
  type BulkItemsBody,
  bulkInventory,
  deleteInventoryItem,
  restoreInventoryItem,
} from '@pegasus/contracts/inventory/item-changes'
import { useMutation } from '@tanstack/react-query'
import { useBulkMove } from '@/components/selection/use-bulk-delete.ts'
import { callApi } from '@/lib/http/api.ts'
import { useTrashMutations } from '@/components/use-trash-mutations.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Moves an item to the trash, and restores it. */
export const useItemTrash = () =>
  useTrashMutations<Pick<InventoryItem, 'id' | 'name'>>({
    remove: (id) => callApi(deleteInventoryItem, { params: { id } }),
    restore: (id) => callApi(restoreInventoryItem, { params: { id } }),
    removedText: ({ name }) => t('“{name}” is in the trash', { name }),
    restoredText: ({ name }) => t('“{name}” is back in the inventory', { name }),
    refresh: useItemRefresh(),
  })

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

/** Undoes the adding of items: moves the new items to the trash. */
export function useUndoAddItems() {
  const refresh = useItemRefresh()
  return useBulkMove({
    one: 'item',
    move: (ids) => bulkMoveItems(ids, 'bin'),
    done: (count) => t('Undone, {count} in the trash', { count }),
    refresh: () => refresh(),
  })
}
