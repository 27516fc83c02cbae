import { useSearchParams } from 'react-router'
import { ProductEdit } from './product-edit.tsx'
import { ProductList } from './product-list.tsx'
import { ProductPage } from './product-page.tsx'
import { type ProductAddresses, withEdit, withProduct } from './products-address.ts'

/** The products tab: the catalog, or the product whose id is in the URL, for reading or editing. */
export function ProductsPage({ addresses }: { addresses: ProductAddresses }) {
  const [params] = useSearchParams()
  const id = params.get('product')
  if (!id) return <ProductList addresses={addresses} />
  if (params.get('edit') === '1')
    return <ProductEdit key={id} id={id} backTo={`?${withEdit(params, false)}`} />
  return (
    <ProductPage
      key={id}
      id={id}
      backTo={`?${withProduct(params, null)}`}
      editTo={`?${withEdit(params, true)}`}
      addresses={addresses}
    />
  )
}
