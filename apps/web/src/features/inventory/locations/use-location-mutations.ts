import { deleteLocation, type Location, restoreLocation } from '@pegasus/contracts/inventory/locations'
import { useMutation } from '@tanstack/react-query'
import { tellFailure } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { useLocationRefresh } from './locations.queries.ts'

type Named = Pick<Location, 'id' | 'path'>

export function useRestoreLocation() {
  const refresh = useLocationRefresh()
  return useMutation({
    mutationFn: ({ id }: Named) => callApi(restoreLocation, { params: { id } }),
    onSuccess: ({ path }) => toast({ title: `${path} is back` }),
    onError: tellFailure,
    onSettled: refresh,
  })
}

/** Into the bin at once, with Undo beside what is said; a place that is not empty is refused with what lies there. */
export function useDeleteLocation() {
  const refresh = useLocationRefresh()
  const restore = useRestoreLocation()
  return useMutation({
    mutationFn: ({ id }: Named) => callApi(deleteLocation, { params: { id } }),
    onSuccess: (_, place) =>
      toast({
        title: `${place.path} is deleted`,
        action: { label: 'Undo', onSelect: () => restore.mutate(place) },
      }),
    onError: tellFailure,
    onSettled: refresh,
  })
}
