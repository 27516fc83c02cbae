import type { Product } from '@pegasus/contracts/products/products'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Card } from '@/components/ui/display/card.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { itemOf, modelOf } from '../product-form/links-field.tsx'
import type { ProductAddresses } from './products-address.ts'
import { LICENSE_LABELS } from '@/lib/i18n/licenses.ts'
import { t } from '@/lib/i18n/messages.ts'

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
    <Card title={t('Made from')}>
      {modelIds.length === 0 && itemId === null ? (
        <p className="px-4 py-3 text-ink-2">{t('Not linked to a model or an inventory item.')}</p>
      ) : null}
      <ul className="divide-y divide-line">
        {itemId !== null ? (
          <Part
            to={addresses.item(itemId)}
            picture={item.data?.stl_thumbnail_path ?? null}
            tint={item.data?.color_hex ?? null}
            name={item.data?.name ?? (item.isError ? t('An item that is no longer in stock') : t('Loading…'))}
            note={
              item.data
                ? t('{sku} · {available_quantity, plural, one {# piece} other {# pieces}} available', {
                    sku: item.data.sku,
                    available_quantity: item.data.available_quantity,
                  })
                : t('Inventory')
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
              name={model?.title ?? (isGone ? t('A model that is no longer in the library') : t('Loading…'))}
              note={
                model
                  ? t('Model · {license_type}', { license_type: LICENSE_LABELS[model.license_type] })
                  : t('Model')
              }
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
        <bdi className="block truncate font-medium" title={name}>
          {name}
        </bdi>
        <span className="block truncate text-caption text-ink-3">{note}</span>
      </span>
    </Link>
  </li>
)
