import type { Model } from '@pegasus/contracts/stl-library/models'
import {
  type BulkEditBody,
  bulkEditModels,
  deleteModel,
  getModelUses,
  listSimilarModels,
  listModelVersions,
  makeModelVersionCurrent,
  restoreModel,
  type ModelVersion,
  type UpdateModelBody,
  updateModel,
} from '@pegasus/contracts/stl-library/model-changes'
import { listModels } from '@pegasus/contracts/stl-library/search'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { mayRefetch } from '@/lib/live-events/left-entities.ts'
import { modelQuery, MODELS_KEY } from '../stl-library.queries.ts'
import { apiListQuery, apiQuery } from '@/lib/http/api-queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Returns the objects that use a model. */
export const usesQuery = (id: string) =>
  apiQuery([...MODELS_KEY, 'uses', id], getModelUses, { params: { id } })

/** Returns models that may be duplicates of this one. */
export const similarQuery = (id: string) =>
  apiQuery([...MODELS_KEY, 'similar', id], listSimilarModels, { params: { id } })

export const versionsQuery = (id: string) =>
  apiQuery([...MODELS_KEY, 'versions', id], listModelVersions, { params: { id } })

/** Models in the trash. */
export const trashQuery = apiListQuery([...MODELS_KEY, 'trash'], listModels, { query: { deleted: 'true' } })

const TAGS_KEY = ['stl-tags'] as const

/** Returns a function that refetches all queries that show models. */
export function useModelsRefresh() {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: MODELS_KEY })
    void client.invalidateQueries({ queryKey: TAGS_KEY })
  }
}

/** Saves an edit. The server refuses it if somebody else has changed the model since `revision`. */
export function useUpdateModel() {
  const client = useQueryClient()
  const refresh = useModelsRefresh()
  return useMutation({
    mutationFn: ({ id, revision, edit }: { id: string; revision: number; edit: UpdateModelBody }) =>
      callApi(updateModel, { params: { id }, body: edit, headers: ifMatch(revision) }),
    onSuccess: (model) => {
      client.setQueryData(modelQuery(model.id).queryKey, model)
      refresh()
    },
  })
}

/** Moves a model to the trash immediately, with Undo in the toast. */
export function useDeleteModel() {
  const client = useQueryClient()
  const restore = useRestoreModel()
  return useMutation({
    mutationFn: ({ id }: Pick<Model, 'id' | 'title'>) => callApi(deleteModel, { params: { id } }),
    onSuccess: (_, { id, title }) => {
      toast({
        title: t('“{title}” is in the trash', { title }),
        action: { label: t('Undo'), onSelect: () => restore.mutate({ id, title }) },
      })
    },
    onError: toastError,
    onSettled: (_, __, { id }) => {
      // The library must not show the model from the cache when somebody opens its address again.
      client.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey.includes(id) })
      void client.invalidateQueries({ queryKey: MODELS_KEY, predicate: mayRefetch })
      void client.invalidateQueries({ queryKey: TAGS_KEY })
    },
  })
}

export function useRestoreModel() {
  const refresh = useModelsRefresh()
  return useMutation({
    mutationFn: ({ id }: Pick<Model, 'id' | 'title'>) => callApi(restoreModel, { params: { id } }),
    onSuccess: (model) => toast({ title: t('“{title}” is back in the library', { title: model.title }) }),
    onError: toastError,
    onSettled: refresh,
  })
}

/** Applies one change to many models. The response lists the models that failed, each with its reason. */
export function useBulkEdit() {
  const refresh = useModelsRefresh()
  return useMutation({
    mutationFn: (change: BulkEditBody) => callApi(bulkEditModels, { body: change }),
    onSettled: refresh,
  })
}

/** Moves models to the trash, or restores them. */
export const moveModels = (ids: string[], move: 'bin' | 'library') =>
  callApi(bulkEditModels, { body: { ids, move } })

export function useMakeVersionCurrent() {
  const refresh = useModelsRefresh()
  return useMutation({
    mutationFn: ({ id }: ModelVersion) => callApi(makeModelVersionCurrent, { params: { id } }),
    onSuccess: (model) => toast({ title: t('Version {version} is current', { version: model.version }) }),
    onError: toastError,
    onSettled: refresh,
  })
}
