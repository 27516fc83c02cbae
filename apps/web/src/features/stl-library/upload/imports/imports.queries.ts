import {
  cancelModelImport,
  chooseArchiveEntries,
  listModelImports,
  retryModelImport,
  type ModelImport,
} from '@pegasus/contracts/stl-library/imports'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi, callList } from '@/lib/http/api.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { isServerAtWork } from './import-details.ts'
import { t } from '@/lib/i18n/messages.ts'

const IMPORTS_KEY = ['stl-imports'] as const

/** Polling interval in ms, in case the event stream is lost. Events normally report each step. */
const FALLBACK_POLL_MS = 5000

/** Maximum number of imports in a response. The server allows at most 50 open imports. */
const LIMIT = 100

/** Returns the person's own imports of the last days, newest first. */
export const importsQuery = queryOptions({
  queryKey: IMPORTS_KEY,
  queryFn: async ({ signal }) =>
    (await callList(listModelImports, { query: { limit: LIMIT }, signal })).items,
  refetchInterval: ({ state }) => (state.data?.some(isServerAtWork) ? FALLBACK_POLL_MS : false),
})

/** Stores the server's response as the current state of the import. */
export function putImport(client: QueryClient, answered: ModelImport): void {
  client.setQueryData(importsQuery.queryKey, (known = []) =>
    known.some(({ id }) => id === answered.id)
      ? known.map((each) => (each.id === answered.id ? answered : each))
      : [answered, ...known],
  )
  void client.invalidateQueries({ queryKey: IMPORTS_KEY })
}

/** Imports the selected files of an archive. */
export function useChooseFromArchive(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (entries: number[]) => callApi(chooseArchiveEntries, { params: { id }, body: { entries } }),
    onSuccess: (chosen) => putImport(client, chosen),
  })
}

/** Retries the failed parts of an import. */
export function useRetryImport(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(retryModelImport, { params: { id } }),
    onSuccess: (retried) => putImport(client, retried),
    onError: (error) =>
      toast({ title: errorMessage(error, t('The import could not be restarted. Please try again.')) }),
  })
}

/** Cancels imports, and removes finished imports from the list. */
export function useDropImports() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: readonly string[]) => Promise.all(ids.map(dropImport)),
    onError: (error) => toast({ title: errorMessage(error, t('This did not work. Please try again.')) }),
    onSettled: () => client.invalidateQueries({ queryKey: IMPORTS_KEY }),
  })
}

/** Cancels an import. If the import no longer exists, this succeeds too. */
async function dropImport(id: string): Promise<void> {
  try {
    await callApi(cancelModelImport, { params: { id } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  }
}
