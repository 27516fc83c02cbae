import type { Product } from '@pegasus/contracts/products/products'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatCount } from '@/lib/format/format.ts'
import { itemOf } from '../product-form/links-field.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'

/** The stock that the shop shows: the offer of the product's item, otherwise the stock that people entered. */
export const shopStockOf = ({ offered_stock: offered, stock }: Product): number => offered ?? stock

/** Whether the stock in the shop stays as it was published, because no item is offered. */
export const isWithoutOffer = ({ status, offered_stock: offered }: Product): boolean =>
  status === 'published' && offered === null

/** The sum behind the offered stock, for example "12 available − 2 safety = 10 offered". Terms of 0 are left out. */
export function offerSum({ offered_stock: offered, offered_from: from }: Product): string | null {
  if (offered === null || from === null) return null
  const minus: readonly [number, string][] = [
    [from.needed_quantity, t('for open orders')],
    [from.held_quantity, t('for orders on hold')],
    [from.safety_stock, t('safety')],
  ]
  const terms = minus
    .filter(([pieces]) => pieces > 0)
    .map(([pieces, why]) => ` − ${formatCount(pieces)} ${why}`)
  return t('{available} available{terms} = {offered} offered', {
    available: formatCount(from.available_quantity),
    terms: terms.join(''),
    offered: formatCount(offered),
  })
}

interface OfferProps {
  product: Product
  itemAddress: (id: string) => string
}

/**
 * Shows how the offered stock follows from the item. For a published product without an offer, says that the shop's
 * stock stays.
 */
export function OfferNote({ product, itemAddress }: OfferProps) {
  const { inventory_item_id: itemId } = product
  const item = useQuery({ ...itemOf(itemId ?? ''), enabled: itemId !== null })
  const sum = offerSum(product)
  if (sum !== null && itemId !== null)
    return (
      <p className="border-b border-line px-4 py-2.5 text-label text-ink-2">
        {rich('{sum}, from {item}', {
          sum,
          item: (
            <Link to={itemAddress(itemId)} className="link">
              <bdi>{item.data?.name ?? t('the item')}</bdi>
            </Link>
          ),
        })}
      </p>
    )
  if (!isWithoutOffer(product)) return null
  return (
    <p className="border-b border-line px-4 py-2.5 text-label text-yellow-ink">
      {itemId === null
        ? t(
            'Not offered from an item: the shop keeps the stock that was published. Link an item so that its stock follows.',
          )
        : t(
            'Its item is in the trash: the shop keeps the stock that it has. Restore the item or link another one.',
          )}
    </p>
  )
}
