import { deleteLocation, type Location, restoreLocation } from '@pegasus/contracts/inventory/locations'
import { useTrashMutations } from '@/components/use-trash-mutations.ts'
import { callApi } from '@/lib/http/api.ts'
import { useLocationRefresh } from './locations.queries.ts'

/** Moves a location to the trash, and restores it. The server refuses to delete a location that is not empty. */
export const useLocationTrash = () =>
  useTrashMutations<Pick<Location, 'id' | 'path'>>({
    remove: (id) => callApi(deleteLocation, { params: { id } }),
    restore: (id) => callApi(restoreLocation, { params: { id } }),
    removedText: ({ path }) => `${path} is deleted`,
    restoredText: ({ path }) => `${path} is back`,
    refresh: useLocationRefresh(),
  })
