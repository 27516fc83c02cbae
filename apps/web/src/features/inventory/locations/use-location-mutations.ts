import { deleteLocation, type Location, restoreLocation } from '@pegasus/contracts/inventory/locations'
import { useTrashMutations } from '@/components/use-trash-mutations.ts'
import { callApi } from '@/lib/http/api.ts'
import { useLocationRefresh } from './locations.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Moves a location to the trash, and restores it. The server refuses to delete a location that is not empty. */
export const useLocationTrash = () =>
  useTrashMutations<Pick<Location, 'id' | 'path'>>({
    remove: (id) => callApi(deleteLocation, { params: { id } }),
    restore: (id) => callApi(restoreLocation, { params: { id } }),
    removedText: ({ path }) => t('{path} is deleted', { path }),
    restoredText: ({ path }) => t('{path} is back', { path }),
    refresh: useLocationRefresh(),
  })
