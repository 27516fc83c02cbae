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

const IMPORTS_KEY = ['stl-imports'] as const

/** Events tell of every step; this is for when their stream is cut. */
const FALLBACK_POLL_MS = 5000

/** More are not shown: the server lets nobody have more than 50 open ones. */
const LIMIT = 100

/** The person's own imports of the last days, newest first. */
export const importsQuery = queryOptions({
  queryKey: IMPORTS_KEY,
  queryFn: async ({ signal }) =>
    (await callList(listModelImports, { query: { limit: LIMIT }, signal })).items,
  refetchInterval: ({ state }) => (state.data?.some(isServerAtWork) ? FALLBACK_POLL_MS : false),
})

/** Puts what the server has just answered in place of what was known of the import. */
export function putImport(client: QueryClient, answered: ModelImport): void {
  client.setQueryData(importsQuery.queryKey, (known = []) =>
    known.some(({ id }) => id === answered.id)
      ? known.map((each) => (each.id === answered.id ? answered : each))
      : [answered, ...known],
  )
  void client.invalidateQueries({ queryKey: IMPORTS_KEY })
}

/** Says which files of an archive become models. */
export function useChooseFromArchive(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (entries: number[]) => callApi(chooseArchiveEntries, { params: { id }, body: { entries } }),
    onSuccess: (chosen) => putImport(client, chosen),
  })
}

/** Tries again what failed of an import. */
export function useRetryImport(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(retryModelImport, { params: { id } }),
    onSuccess: (retried) => putImport(client, retried),
    onError: (error) =>
      toast({ title: errorMessage(error, 'The import could not be tried again. Please try again.') }),
  })
}

/** Ends imports, and takes those that have ended off the list. */
export function useDropImports() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: readonly string[]) => Promise.all(ids.map(dropImport)),
    onError: (error) => toast({ title: errorMessage(error, 'This did not succeed. Please try again.') }),
    onSettled: () => client.invalidateQueries({ queryKey: IMPORTS_KEY }),
  })
}

/** One that is not there any more is what was wanted. */
async function dropImport(id: string): Promise<void> {
  try {
    await callApi(cancelModelImport, { params: { id } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  }
}
