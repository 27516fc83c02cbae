import type { Product } from '@pegasus/contracts/products/products'
import { ExternalLink } from 'lucide-react'
import { Link } from 'react-router'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { SMALL_ICON } from '@/components/ui/icon-props.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { t } from '@/lib/i18n/messages.ts'
import { useRestoreProduct } from '../products.queries.ts'
import { shopStockOf } from './offered-stock.tsx'
import { canPublish } from './product-state.tsx'
import type { ProductAddresses } from './products-address.ts'
import { PublishButton } from './publish-button.tsx'

/** A button that restores a product from the trash. */
export function RestoreButton({ product: { id, name } }: { product: Product }) {
  const restore = useRestoreProduct()
  return (
    <Button
      size="sm"
      isPending={restore.isPending}
      aria-label={t('Restore {name}', { name })}
      onClick={() =>
        restore.mutate(id, {
          onSuccess: () => toast({ title: t('“{name}” restored', { name }) }),
          onError: (error) =>
            toast({ title: errorMessage(error, t('That did not work. Please try again.')) }),
        })
      }
    >
      {t('Restore')}
    </Button>
  )
}

/** Whether the shop has nothing of a published product to sell. */
export const isSoldOut = (product: Product): boolean =>
  shopStockOf(product) === 0 && product.status === 'published'

/** What the person who looks at the list can do in its rows. */
export interface RowActions {
  mayWrite: boolean
  printAddress: ProductAddresses['print']
}

/** Returns whether a person can do something with a product in its row. */
export const hasAction = (product: Product, mayWrite: boolean): boolean =>
  product.site_url !== null || (mayWrite && (product.deleted_at !== null || canPublish(product)))

/** The next step of a product: restore or publish it, or print it if it is sold out. Next to it, its page in the shop. */
export function RowAction({ product, mayWrite, printAddress }: RowActions & { product: Product }) {
  const { name, inventory_item_id: itemId, offered_from: from } = product
  if (product.deleted_at !== null) return mayWrite ? <RestoreButton product={product} /> : null
  const owed = from === null ? 0 : from.needed_quantity - from.available_quantity
  return (
    <span className="flex items-center justify-end gap-1.5">
      {mayWrite && canPublish(product) ? (
        <PublishButton product={product} size="sm" isInList />
      ) : mayWrite && isSoldOut(product) && itemId !== null ? (
        <Link
          to={printAddress({ itemId, quantity: Math.max(1, owed) })}
          aria-label={t('Print {name}', { name })}
          className={`${buttonClass({ size: 'sm' })} relative z-1`}
        >
          {t('Print')}
        </Link>
      ) : null}
      {product.site_url === null ? null : (
        <a
          href={product.site_url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('Open {name} in the shop', { name })}
          title={t('Open in the shop')}
          className={`${buttonClass({ variant: 'ghost', size: 'sm' })} relative z-1`}
        >
          <ExternalLink {...SMALL_ICON} />
        </a>
      )}
    </span>
  )
}
