import type { InventoryItem } from '@pegasus/contracts/inventory'
import {
  type BulkItemsBody,
  bulkInventory,
  deleteInventoryItem,
  restoreInventoryItem,
} from '@pegasus/contracts/inventory-keeping'
import { useMutation } from '@tanstack/react-query'
import { toast } from '@/components/ui/toast-store.ts'
import { callApi } from '@/lib/api.ts'
import { formatNumberOf } from '@/lib/format.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { tellFailure } from '../moving/use-moving.ts'

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

/** Takes many out of the bin again, or puts back into it what was just added; tells it even where nothing else is left to. */
export function useMoveItems(move: 'bin' | 'stock') {
  const refresh = useItemRefresh()
  return useMutation({
    mutationFn: (ids: string[]) => callApi(bulkInventory, { body: { ids, move } }),
    onSuccess: ({ changed: { length } }) =>
      toast({
        title:
          move === 'stock'
            ? `${formatNumberOf(length, 'item')} back in the inventory`
            : `Undone, ${formatNumberOf(length, 'item')} in the bin`,
      }),
    onError: tellFailure,
    onSettled: () => refresh(),
  })
}
