import { useSearchParams } from 'react-router'
import { BinPage } from './keeping/bin-page.tsx'
import { isBin, withModel } from './library-address.ts'
import { LibraryPage } from './library-page.tsx'
import { ModelPage } from './model-page.tsx'

/** The STL Library: the list, its bin, or the one model that the address names. */
export function StlLibraryRoom() {
  const [params] = useSearchParams()
  const model = params.get('model')
  if (!model) return isBin(params) ? <BinPage /> : <LibraryPage />
  return <ModelPage key={model} id={model} backTo={`?${withModel(params, null)}`} />
}
