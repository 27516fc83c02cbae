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

/** Returns whether a published product is out of stock in the shop. */
export const isSoldOut = (product: Product): boolean =>
  shopStockOf(product) === 0 && product.status === 'published'

/** The actions that the signed-in person can take in the rows of the list. */
export interface RowActions {
  mayWrite: boolean
  printAddress: ProductAddresses['print']
}

/**
 * Returns how many more pieces to print until the shop can sell one piece again. Pieces that are already queued are left
 * out. Returns 0 for an item in the trash, because it offers nothing and cannot be printed.
 */
function missingPieces({ offered_from: from, queued_quantity: queued }: Product): number {
  if (from === null) return 0
  const claimed = from.needed_quantity + from.held_quantity + from.safety_stock
  return Math.max(0, claimed + 1 - from.available_quantity - (queued ?? 0))
}

/** Whether pieces of a product have to be printed that are not queued yet. */
const canPrint = (product: Product): boolean =>
  isSoldOut(product) && product.inventory_item_id !== null && missingPieces(product) > 0

/** The width of the column of actions. The longest label and the link to the shop fit in every language. */
export const ACTIONS_TRACK = '172px'

/** Returns whether a person can do something with a product in its row. */
export const hasAction = (product: Product, mayWrite: boolean): boolean =>
  product.deleted_at !== null
    ? mayWrite
    : product.site_url !== null || (mayWrite && (canPublish(product) || canPrint(product)))

/** The next step of a product: restore or publish it, or print it if it is sold out and too few pieces
 * are queued. Next to it, its page in the shop. */
export function RowAction({ product, mayWrite, printAddress }: RowActions & { product: Product }) {
  const { name, inventory_item_id: itemId } = product
  if (product.deleted_at !== null) return mayWrite ? <RestoreButton product={product} /> : null
  return (
    <span className="flex items-center justify-end gap-1.5">
      {mayWrite && canPublish(product) ? (
        <PublishButton product={product} size="sm" isInList />
      ) : mayWrite && canPrint(product) && itemId !== null ? (
        <Link
          to={printAddress({ itemId, quantity: missingPieces(product) })}
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
