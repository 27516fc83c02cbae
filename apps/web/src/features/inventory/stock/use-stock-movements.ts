import {
  type StockMovement,
  type MovedItem,
  undoMovement,
} from '@pegasus/contracts/inventory/stock-movements'
import { useMutation } from '@tanstack/react-query'
import { tellFailure } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { movedWords } from './movement-labels.ts'

/** Takes a movement back; the server says why where that would falsify what came after it. */
export function useUndoMovement() {
  const refresh = useItemRefresh()
  return useMutation({
    mutationFn: ({ id }: Pick<StockMovement, 'id'>) => callApi(undoMovement, { params: { id } }),
    onSuccess: (moved) => {
      refresh(moved)
      toast({ title: `Undone. ${movedWords(moved)}` })
    },
    onError: tellFailure,
    onSettled: () => refresh(),
  })
}

/** Says what has moved, with Undo beside it, and shows it everywhere. */
export function useTellMoved(): (moved: MovedItem) => void {
  const refresh = useItemRefresh()
  const undo = useUndoMovement()
  return (moved) => {
    refresh(moved)
    const { delta, reserved_delta: reserved, kind } = moved.movement
    const isUndoable = kind === 'move' || delta !== 0 || reserved !== 0
    toast({
      title: movedWords(moved),
      ...(isUndoable && { action: { label: 'Undo', onSelect: () => undo.mutate(moved.movement) } }),
    })
  }
}
