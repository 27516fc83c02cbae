import {
  type StockMovement,
  type MovedItem,
  undoMovement,
} from '@pegasus/contracts/inventory/stock-movements'
import { useMutation } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { describeMovement } from './movement-labels.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Undoes a movement. The server refuses it, with a reason, if later movements depend on it. */
export function useUndoMovement() {
  const refresh = useItemRefresh()
  return useMutation({
    mutationFn: ({ id }: Pick<StockMovement, 'id'>) => callApi(undoMovement, { params: { id } }),
    onSuccess: (moved) => {
      refresh(moved)
      toast({ title: t('Undone. {moved}', { moved: describeMovement(moved) }) })
    },
    onError: toastError,
    onSettled: () => refresh(),
  })
}

/**
 * Returns a function that announces a movement, offers Undo, and refetches all queries that show the item.
 */
export function useAnnounceMovement(): (moved: MovedItem) => void {
  const refresh = useItemRefresh()
  const undo = useUndoMovement()
  return (moved) => {
    refresh(moved)
    const { delta, reserved_delta: reserved, kind } = moved.movement
    const isUndoable = kind === 'move' || delta !== 0 || reserved !== 0
    toast({
      title: describeMovement(moved),
      ...(isUndoable && { action: { label: t('Undo'), onSelect: () => undo.mutate(moved.movement) } }),
    })
  }
}
