import { useSearchParams } from 'react-router'
import { TrashPage } from './model-forms/trash-page.tsx'
import { isTrash, withModel } from './library-address.ts'
import { LibraryPage } from './library-page.tsx'
import { ModelPage } from './model-page/model-page.tsx'

/** Addresses of things made from a model. */
export interface ModelAddresses {
  item: (id: string) => string
  product: (id: string) => string
  job: (id: string) => string
  /** Starts a product with the data of a model. */
  make: (id: string) => string
}

/** The STL Library: the list, its trash, or the model named by the address. */
export function StlLibraryPage({ addresses }: { addresses: ModelAddresses }) {
  const [params] = useSearchParams()
  const model = params.get('model')
  if (!model) return isTrash(params) ? <TrashPage /> : <LibraryPage />
  return <ModelPage key={model} id={model} backTo={`?${withModel(params, null)}`} addresses={addresses} />
}
