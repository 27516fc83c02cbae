import { lazy } from 'react'
import { useSearchParams } from 'react-router'
import type { QueryClient } from '@tanstack/react-query'
import { isTrash, readFilters, readSort, withModel } from './library-address.ts'
import { listQueryOf, modelPageQuery } from './search/model-list.queries.ts'
import { LibraryPage } from './model-list-page.tsx'

const ModelPage = lazy(async () => ({ default: (await import('./model-page/model-page.tsx')).ModelPage }))
const TrashPage = lazy(async () => ({ default: (await import('./model-forms/trash-page.tsx')).TrashPage }))

/** Addresses of the pages of objects that are made from a model. */
export interface ModelAddresses {
  item: (id: string) => string
  product: (id: string) => string
  job: (id: string) => string
  /** Returns the address of the product wizard with the data of a model. */
  make: (id: string) => string
  /** Returns the address of the dialog that queues a print of a model. */
  print: (id: string) => string
}

/** Loads the first data of the list that a URL opens. */
export async function prefetchList(client: QueryClient, params: URLSearchParams): Promise<void> {
  if (params.get('model') || isTrash(params)) return
  await client.prefetchQuery(modelPageQuery(listQueryOf(readFilters(params), readSort(params)), 0, null))
}

/** The STL library: the list, its trash, or the model whose id is in the URL. */
export function StlLibraryPage({ addresses }: { addresses: ModelAddresses }) {
  const [params] = useSearchParams()
  const model = params.get('model')
  if (!model) return isTrash(params) ? <TrashPage /> : <LibraryPage />
  return <ModelPage key={model} id={model} backTo={`?${withModel(params, null)}`} addresses={addresses} />
}
