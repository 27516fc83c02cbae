import { deleteLocation, type Location, restoreLocation } from '@pegasus/contracts/inventory/locations'
import { useMutation } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { useLocationRefresh } from './locations.queries.ts'

type Named = Pick<Location, 'id' | 'path'>

export function useRestoreLocation() {
  const refresh = useLocationRefresh()
  return useMutation({
    mutationFn: ({ id }: Named) => callApi(restoreLocation, { params: { id } }),
    onSuccess: ({ path }) => toast({ title: `${path} is back` }),
    onError: toastError,
    onSettled: refresh,
  })
}

/** Moves a location to the trash and offers Undo. The server refuses it while the location holds something. */
export function useDeleteLocation() {
  const refresh = useLocationRefresh()
  const restore = useRestoreLocation()
  return useMutation({
    mutationFn: ({ id }: Named) => callApi(deleteLocation, { params: { id } }),
    onSuccess: (_, location) =>
      toast({
        title: `${location.path} is deleted`,
        action: { label: 'Undo', onSelect: () => restore.mutate(location) },
      }),
    onError: toastError,
    onSettled: refresh,
  })
}
