import { deleteLocation, type Location, restoreLocation } from '@pegasus/contracts/locations'
import { useMutation } from '@tanstack/react-query'
import { tellFailure } from '@/components/tell-failure.ts'
import { toast } from '@/components/ui/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { usePlaceRefresh } from './places.queries.ts'

type Named = Pick<Location, 'id' | 'path'>

export function useRestorePlace() {
  const refresh = usePlaceRefresh()
  return useMutation({
    mutationFn: ({ id }: Named) => callApi(restoreLocation, { params: { id } }),
    onSuccess: ({ path }) => toast({ title: `${path} is back` }),
    onError: tellFailure,
    onSettled: refresh,
  })
}

/** Into the bin at once, with Undo beside what is said; a place that is not empty is refused with what lies there. */
export function useDeletePlace() {
  const refresh = usePlaceRefresh()
  const restore = useRestorePlace()
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
