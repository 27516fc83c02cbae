import type { ProductReview } from '@pegasus/contracts/products/setup'
import { useQuery } from '@tanstack/react-query'
import { Ban, Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { MediaPicture } from '@/components/media-picture.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount, formatMoney } from '@/lib/format/format.ts'
import { CostSum, marginLabel } from './cost-sum.tsx'
import { licenseLabel } from './product-form/license-labels.ts'
import type { ProductForm } from './product-form/product-form.ts'
import { marginQuery } from './products.queries.ts'
import { parseTags } from '@pegasus/contracts/products/product-rules'
import { Tag } from '@/components/ui/display/badge.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface ShopPreviewProps {
  form: ProductForm
  review: ProductReview | undefined
  /** Called with a new price. Null if the price cannot be changed here. */
  onPrice: ((price: string) => void) | null
  children?: ReactNode
}

const amountOf = (text: string): number | null => {
  const amount = Number(text)
  return text.trim() === '' || !Number.isFinite(amount) || amount < 0 ? null : amount
}

/** Shows how the product will look in the shop, and its margin. */
export function ShopPreview({ form, review, onPrice, children }: ShopPreviewProps) {
  const { name, slug, posterUrl, images } = form
  const price = amountOf(form.price)
  const stock = amountOf(form.stock)
  const picture = posterUrl || images[0]
  const tags = parseTags(form.tags)
  return (
    <Card title={t('In the shop')} aside={t('preview')} className="lg:sticky lg:top-28">
      {picture ? (
        <MediaPicture
          src={picture}
          alt={t('Picture of {name}', { name: name || t('the product') })}
          className="aspect-[5/4] w-full rounded-none!"
        />
      ) : (
        <div className="grid aspect-[5/2] w-full place-items-center plinth text-ink-2">
          {t('No picture yet')}
        </div>
      )}
      <div className="flex flex-col gap-1 p-4">
        <h3 className="text-[1rem] leading-5 font-semibold wrap-anywhere">
          {name.trim() ? <bdi>{name}</bdi> : <span className="text-ink-3">{t('Name missing')}</span>}
        </h3>
        <p className="text-label text-ink-3 wrap-anywhere">
          {slug ? `/products/${slug}` : t('Address missing')}
        </p>
        <p className="mt-1">
          {price === null ? (
            <span className="text-ink-3">{t('Price missing')}</span>
          ) : (
            <span className="text-[1.125rem] font-semibold">{formatMoney(price)}</span>
          )}{' '}
          {stock === null ? null : (
            <span className="text-label text-ink-3">
              {t('{stock} in stock', { stock: formatCount(stock) })}
            </span>
          )}
        </p>
        {tags.length > 0 ? (
          <p className="mt-1 flex flex-wrap gap-1">
            {tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </p>
        ) : null}
      </div>
      {review ? <Facts form={form} price={price} review={review} onPrice={onPrice} /> : null}
      {children}
    </Card>
  )
}

interface FactsProps {
  form: ProductForm
  price: number | null
  review: ProductReview
  onPrice: ((price: string) => void) | null
}

function Facts({ form, price, review, onPrice }: FactsProps) {
  const { data: rates } = useQuery(marginQuery)
  const { cost, cost_sheet: sheet } = review
  const margin = rates?.margin_percent ?? null
  const suggested = cost !== null && cost > 0 ? (sheet?.suggested_price ?? null) : null
  return (
    <div className="flex flex-col gap-2 border-t border-line p-4 text-label">
      <dl className="flex flex-col gap-2">
        <Fact name={t('License')}>
          {review.license_verdict === 'blocked' ? (
            <span className="inline-flex items-center gap-1 text-red-ink">
              <Ban size={14} aria-hidden />{' '}
              {t('{licenseLabel}, not for sale', {
                licenseLabel: form.license ? licenseLabel(form.license) : t('Models'),
              })}
            </span>
          ) : form.license === '' && form.stl_file_ids.length === 0 ? (
            <span className="text-ink-3">{t('None chosen: own design')}</span>
          ) : (
            <span className="inline-flex items-center gap-1 text-green-ink">
              <Check size={14} aria-hidden />{' '}
              {form.license
                ? t('{licenseLabel}, may be sold', { licenseLabel: licenseLabel(form.license) })
                : t('May be sold')}
            </span>
          )}
        </Fact>
        {cost === null ? null : (
          <Fact name={sheet?.basis === 'models' ? t('Unit cost, estimated') : t('Unit cost')}>
            <strong className="font-semibold">{formatMoney(cost)}</strong>
            {price !== null && price > 0 ? (
              <span className={price < cost ? 'text-red-ink' : 'text-ink-3'}>
                {' · '}
                {t('margin {marginLabel}', { marginLabel: marginLabel(price, cost) })}
              </span>
            ) : null}
          </Fact>
        )}
        {suggested !== null && margin !== null && onPrice && suggested !== price ? (
          <Fact name={t('Price at {margin} % margin', { margin })}>
            <button type="button" className="link" onClick={() => onPrice(suggested.toFixed(2))}>
              {t('Use {suggested}', { suggested: formatMoney(suggested) })}
            </button>
          </Fact>
        ) : null}
      </dl>
      {sheet ? <CostSum cost={sheet} /> : null}
    </div>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex items-center justify-between gap-3">
    <dt className="text-ink-2">{name}</dt>
    <dd className="text-end">{children}</dd>
  </div>
)
