import type { Product } from '@pegasus/contracts/products/products'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'

/**
 * Returns the label of a product's status. A product whose publication failed is labeled as not published, because the
 * shop does not have it.
 */
export const productStatusLabel = ({ status }: Pick<Product, 'status'>): string =>
  STATUS_LABELS[status === 'failed' ? 'not_published' : status]

/** Returns the note next to the status in a list; null if the status is enough. */
export function stateNote(product: Product): string | null {
  if (product.status === 'failed') return product.failure_reason && serverText(product.failure_reason)
  if (product.status === 'published' && product.has_unpublished_changes) return t('Unpublished changes')
  return null
}

/**
 * Describes how the shop's product differs from ours; null if it equals the values sent last, or if that is
 * unknown.
 */
export function syncStateLabel({ status, site_check: check }: Product): string | null {
  if (status !== 'published' || check === null) return null
  if (check.outcome === 'missing') return t('Gone from the shop')
  return check.outcome === 'differs' ? t('Differs from the shop') : null
}

export const ProductStatus = ({ product }: { product: Product }) => (
  <span className="flex min-w-0 flex-col items-start gap-0.5">
    <span className="flex flex-wrap gap-1">
      <StatusBadge status={product.status}>{productStatusLabel(product)}</StatusBadge>
      {syncStateLabel(product) ? (
        <StatusBadge status="differs" tone="yellow">
          {syncStateLabel(product)}
        </StatusBadge>
      ) : null}
    </span>
    {stateNote(product) ? (
      <span
        className={`line-clamp-2 text-caption wrap-anywhere ${product.status === 'failed' ? 'text-red-ink' : 'text-yellow-ink'}`}
        title={stateNote(product) ?? undefined}
      >
        {stateNote(product)}
      </span>
    ) : null}
  </span>
)

/** Returns whether some changes are not in the shop yet. */
export const canPublish = ({ status, has_unpublished_changes: hasChanges }: Product): boolean =>
  status === 'not_published' || status === 'failed' || (status === 'published' && hasChanges)

/** Returns the label of the button that publishes a product. In a list it is short, because the column is narrow. */
export const publishWord = (
  { status, published_at: publishedAt }: Product,
  { isInList }: { isInList: boolean },
): string => {
  if (status === 'failed') return t('Retry')
  return publishedAt === null || isInList ? t('Publish') : t('Publish changes')
}
