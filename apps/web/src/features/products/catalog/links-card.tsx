import type { Product } from '@pegasus/contracts/products/products'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Card } from '@/components/ui/display/card.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { formatNumberOf } from '@/lib/format/format.ts'
import { itemOf, modelOf } from '../product-form/links-field.tsx'
import type { ProductAddresses } from './products-address.ts'

interface LinksCardProps {
  product: Product
  addresses: ProductAddresses
}

/** Shows the item that a product is sold from, and the models that it is made from. */
export function LinksCard({ product, addresses }: LinksCardProps) {
  const { stl_file_ids: modelIds, inventory_item_id: itemId } = product
  const models = useQueries({ queries: modelIds.map(modelOf) })
  const item = useQuery({ ...itemOf(itemId ?? ''), enabled: itemId !== null })
  return (
    <Card title="Made from">
      {modelIds.length === 0 && itemId === null ? (
        <p className="px-4 py-3 text-ink-2">Not linked to a model or an inventory item.</p>
      ) : null}
      <ul className="divide-y divide-line">
        {itemId !== null ? (
          <Part
            to={addresses.item(itemId)}
            picture={item.data?.stl_thumbnail_path ?? null}
            tint={item.data?.color_hex ?? null}
            name={item.data?.name ?? (item.isError ? 'An item that is no longer in stock' : 'Loading…')}
            note={
              item.data
                ? `${item.data.sku} · ${formatNumberOf(item.data.available_quantity, 'piece')} available`
                : 'Inventory'
            }
          />
        ) : null}
        {modelIds.map((id, at) => {
          const model = models[at]?.data
          const isGone = models[at]?.isError === true
          return (
            <Part
              key={id}
              to={addresses.model(id)}
              picture={model?.thumbnail_path ?? null}
              name={model?.title ?? (isGone ? 'A model that is no longer in the library' : 'Loading…')}
              note={model ? `Model · ${model.license_type}` : 'Model'}
            />
          )
        })}
      </ul>
    </Card>
  )
}

interface PartProps {
  to: string
  picture: string | null
  tint?: string | null
  name: string
  note: string
}

const Part = ({ to, picture, tint, name, note }: PartProps) => (
  <li>
    <Link to={to} className="flex items-center gap-3 px-4 py-2 -outline-offset-2 hover:bg-hover">
      <PartPicture src={picture} tint={tint} className="size-11" />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate text-left font-medium" title={name}>
          {name}
        </bdi>
        <span className="block truncate text-caption text-ink-3">{note}</span>
      </span>
    </Link>
  </li>
)
