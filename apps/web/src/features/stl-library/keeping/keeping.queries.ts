import type { StlFile } from '@pegasus/contracts/stl-files'
import {
  type BulkEditBody,
  bulkEditStlFiles,
  deleteStlFile,
  getStlFileUses,
  listSimilarStlFiles,
  listStlVersions,
  makeStlVersionCurrent,
  restoreStlFile,
  type StlVersion,
  type UpdateStlFileBody,
  updateStlFile,
} from '@pegasus/contracts/stl-keeping'
import { listStlFiles } from '@pegasus/contracts/stl-search'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { tellFailure } from '@/components/tell-failure.ts'
import { toast } from '@/components/ui/toast-store.ts'
import { callApi, callList } from '@/lib/http/api.ts'
import { listQuery } from '@/lib/http/use-list.ts'
import { modelQuery, MODELS_KEY } from '../stl-library.queries.ts'

/** Where a model is used. */
export const usesQuery = (id: string) =>
  queryOptions({
    queryKey: [...MODELS_KEY, 'uses', id],
    queryFn: ({ signal }) => callApi(getStlFileUses, { params: { id }, signal }),
  })

/** Models that may be the same. */
export const similarQuery = (id: string) =>
  queryOptions({
    queryKey: [...MODELS_KEY, 'similar', id],
    queryFn: ({ signal }) => callApi(listSimilarStlFiles, { params: { id }, signal }),
  })

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...MODELS_KEY, 'versions', id],
    queryFn: ({ signal }) => callApi(listStlVersions, { params: { id }, signal }),
  })

/** What lies in the bin. */
export const binQuery = listQuery([...MODELS_KEY, 'bin'], (page, signal) =>
  callList(listStlFiles, { query: { ...page, deleted: 'true' }, signal }),
)

const TAGS_KEY = ['stl-tags'] as const

/** Everything that shows a model asks again. */
export function useModelsRefresh() {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: MODELS_KEY })
    void client.invalidateQueries({ queryKey: TAGS_KEY })
  }
}

/** Changes what a person may change; refused where somebody else has changed it since `revision`. */
export function useUpdateModel() {
  const client = useQueryClient()
  const refresh = useModelsRefresh()
  return useMutation({
    mutationFn: ({ id, revision, edit }: { id: string; revision: number; edit: UpdateStlFileBody }) =>
      callApi(updateStlFile, { params: { id }, body: edit, headers: { 'If-Match': `"${revision}"` } }),
    onSuccess: (model) => {
      client.setQueryData(modelQuery(model.id).queryKey, model)
      refresh()
    },
  })
}

/** Into the bin at once, with Undo beside what is said. */
export function useDeleteModel() {
  const client = useQueryClient()
  const refresh = useModelsRefresh()
  const restore = useRestoreModel()
  return useMutation({
    mutationFn: ({ id }: Pick<StlFile, 'id' | 'title'>) => callApi(deleteStlFile, { params: { id } }),
    onSuccess: (_, { id, title }) => {
      client.removeQueries({ queryKey: modelQuery(id).queryKey })
      toast({
        title: `“${title}” is in the bin`,
        action: { label: 'Undo', onSelect: () => restore.mutate({ id, title }) },
      })
    },
    onError: tellFailure,
    onSettled: refresh,
  })
}

export function useRestoreModel() {
  const refresh = useModelsRefresh()
  return useMutation({
    mutationFn: ({ id }: Pick<StlFile, 'id' | 'title'>) => callApi(restoreStlFile, { params: { id } }),
    onSuccess: (model) => toast({ title: `“${model.title}” is back in the library` }),
    onError: tellFailure,
    onSettled: refresh,
  })
}

/** One change for many. What it could not be made for stands in the answer, with the reason. */
export function useBulkEdit() {
  const refresh = useModelsRefresh()
  return useMutation({
    mutationFn: (change: BulkEditBody) => callApi(bulkEditStlFiles, { body: change }),
    onSettled: refresh,
  })
}

/** Into the bin, or out of it again. */
export const moveModels = (ids: string[], move: 'bin' | 'library') =>
  callApi(bulkEditStlFiles, { body: { ids, move } })

export function useMakeVersionCurrent() {
  const refresh = useModelsRefresh()
  return useMutation({
    mutationFn: ({ id }: StlVersion) => callApi(makeStlVersionCurrent, { params: { id } }),
    onSuccess: (model) => toast({ title: `Version ${model.version} is current` }),
    onError: tellFailure,
    onSettled: refresh,
  })
}
