import { getCostSettings } from '@pegasus/contracts/inventory/costs'
import { deleteDraft, listDrafts, restoreDraft, updateDraft } from '@pegasus/contracts/products/drafts'
import { reviewProduct } from '@pegasus/contracts/products/setup'
import {
  acceptSiteValues,
  checkProduct,
  deleteProduct,
  getProduct,
  listProducts,
  restoreProduct,
  type UpdateProductBody,
  updateProduct,
} from '@pegasus/contracts/products/products'
import { listPublications, publishProduct } from '@pegasus/contracts/products/publishing'
import type { AcceptSiteBody } from '@pegasus/contracts/products/sync-check'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import type { ProductFilters } from './catalog/products-address.ts'
import { apiListQuery, apiQuery } from '@/lib/http/api-queries.ts'
import { mayRefetch } from '@/lib/live-events/left-entities.ts'

/** Every query about products starts with this key, so that one invalidation refreshes them all. */
export const PRODUCTS_KEY = 'products'
export const DRAFTS_KEY = 'drafts'

export const draftsQuery = apiQuery([DRAFTS_KEY], listDrafts)

/**
 * Returns the findings of the check before publishing, for the current fields. `draft` has the format of the
 * request.
 */
export const reviewQuery = (draft: Record<string, unknown>) =>
  queryOptions({
    queryKey: ['product-review', draft],
    queryFn: ({ signal }) => callApi(reviewProduct, { body: draft, signal }),
    placeholderData: keepPreviousData,
    // A response applies to only one state of the fields, and the models and items behind it can change at any time.
    staleTime: 0,
    gcTime: 60_000,
  })

export const marginQuery = apiQuery(['inventory', 'cost-settings'], getCostSettings)

export const productListQuery = ({ search, status, isTrash }: ProductFilters) =>
  apiListQuery([PRODUCTS_KEY, 'list', { search, status, isTrash }], listProducts, {
    query: {
      ...(search && { search }),
      ...(status === 'differs' ? { differs: 'true' } : status && { status }),
      ...(isTrash && { deleted: 'true' }),
    },
  })

export const productQuery = (id: string) =>
  apiQuery([PRODUCTS_KEY, 'one', id], getProduct, { params: { id } })

export const publicationsQuery = (id: string) =>
  apiQuery([PRODUCTS_KEY, 'publications', id], listPublications, { params: { id } })

function useRefresh(key: string) {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [key] })
}

/**
 * Makes a mutation that afterwards refetches the lists under `key`, even after a failure, because the object
 * may have changed anyway.
 */
function useChange<Input, Result>(key: string, mutationFn: (input: Input) => Promise<Result>) {
  const refresh = useRefresh(key)
  return useMutation({ mutationFn, onSettled: refresh })
}

/** Publishes a product. The caller shows a failure next to the button. */
export const usePublishProduct = (id: string) =>
  useChange(PRODUCTS_KEY, ({ reason, again = false }: { reason?: string | undefined; again?: boolean }) =>
    callApi(publishProduct, {
      params: { id },
      body: { ...(reason && { license_override: { reason } }), ...(again && { again }) },
    }),
  )

export const useCheckProduct = (id: string) =>
  useChange(PRODUCTS_KEY, () => callApi(checkProduct, { params: { id } }))

export const useAcceptSiteValues = (id: string) =>
  useChange(PRODUCTS_KEY, ({ body, revision }: { body: AcceptSiteBody; revision: number }) =>
    callApi(acceptSiteValues, { params: { id }, body, headers: ifMatch(revision) }),
  )

export function useUpdateProduct(id: string) {
  const refresh = useRefresh(PRODUCTS_KEY)
  return useMutation({
    mutationFn: ({ body, revision }: { body: UpdateProductBody; revision: number }) =>
      callApi(updateProduct, { params: { id }, body, headers: ifMatch(revision) }),
    onSuccess: refresh,
  })
}

export function useDeleteProduct() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi(deleteProduct, { params: { id } }),
    onSuccess: (_, id) => {
      client.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey.includes(id) })
      return client.invalidateQueries({ queryKey: [PRODUCTS_KEY], predicate: mayRefetch })
    },
  })
}

export function useRestoreProduct() {
  const refresh = useRefresh(PRODUCTS_KEY)
  return useMutation({
    mutationFn: (id: string) => callApi(restoreProduct, { params: { id } }),
    onSuccess: refresh,
  })
}

export const useShareDraft = () =>
  useChange(DRAFTS_KEY, ({ id, revision, isShared }: { id: string; revision: number; isShared: boolean }) =>
    callApi(updateDraft, { params: { id }, body: { is_shared: isShared }, headers: ifMatch(revision) }),
  )

export const useDeleteDraft = () =>
  useChange(DRAFTS_KEY, (id: string) => callApi(deleteDraft, { params: { id } }))

export const useRestoreDraft = () =>
  useChange(DRAFTS_KEY, (id: string) => callApi(restoreDraft, { params: { id } }))
