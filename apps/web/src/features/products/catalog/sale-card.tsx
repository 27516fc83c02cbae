import type { Product } from '@pegasus/contracts/products/products'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Property, PropertyList } from '@/components/property-list.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount, formatMoney } from '@/lib/format/format.ts'
import { CostSum, marginLabel } from '../cost-sum.tsx'
import { formOfProduct, wireOf } from '../product-form/product-form.ts'
import { reviewQuery } from '../products.queries.ts'
import { OfferNote, shopStockOf } from './offered-stock.tsx'
import { ProductStatus } from './product-state.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface SaleCardProps {
  product: Product
  /** True if the cost is shown. Viewers do not see it. */
  mayWrite: boolean
  itemAddress: (id: string) => string
  className?: string
}

/** Shows the price, the stock, and the margin of one piece. */
export function SaleCard({ product, mayWrite, itemAddress, className }: SaleCardProps) {
  const { price, bulkTiers } = product
  const stock = shopStockOf(product)
  const { data: review } = useQuery({ ...reviewQuery(wireOf(formOfProduct(product))), enabled: mayWrite })
  const sheet = review?.cost_sheet ?? null
  const isLoss = sheet !== null && price < sheet.unit_cost
  return (
    <Card {...(className && { className })}>
      <div className="px-4 pt-3.5 pb-3">
        <ProductStatus product={product} />
      </div>
      <dl className="grid grid-cols-2 divide-x divide-line border-y border-line">
        <Figure name={t('Price')}>{formatMoney(price)}</Figure>
        <Figure
          name={product.offered_stock === null ? t('Stock') : t('Offered stock')}
          unit={t('{stock, plural, one {piece} other {pieces}}', { stock })}
        >
          {formatCount(stock)}
        </Figure>
      </dl>
      <OfferNote product={product} itemAddress={itemAddress} />
      {sheet || bulkTiers?.length ? (
        <PropertyList>
          {sheet ? (
            <Property
              name={sheet.basis === 'models' ? t('Unit cost, estimated') : t('Unit cost')}
              unit={
                price > 0 ? (
                  <span className={isLoss ? 'text-red-ink' : undefined}>
                    · {t('margin {marginLabel}', { marginLabel: marginLabel(price, sheet.unit_cost) })}
                  </span>
                ) : null
              }
            >
              {formatMoney(sheet.unit_cost)}
            </Property>
          ) : null}
          {bulkTiers?.map((tier) => (
            <Property
              key={tier.quantity}
              name={t('From {quantity} pieces', { quantity: formatCount(tier.quantity) })}
              unit={t('each')}
            >
              {formatMoney(tier.price)}
            </Property>
          ))}
        </PropertyList>
      ) : null}
      {sheet ? (
        <div className="border-t border-line px-4 py-2.5">
          <CostSum cost={sheet} />
        </div>
      ) : null}
    </Card>
  )
}

const Figure = ({ name, unit, children }: { name: string; unit?: string; children: ReactNode }) => (
  <div className="px-4 py-2.5">
    <dt className="text-label text-ink-2">{name}</dt>
    <dd className="mt-0.5 text-figure font-[580] wrap-anywhere">
      {children}
      {unit ? <span className="text-body font-normal tracking-normal text-ink-3"> {unit}</span> : null}
    </dd>
  </div>
)
