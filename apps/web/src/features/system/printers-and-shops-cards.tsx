import type { PrintersAndShops, ShopState } from '@pegasus/contracts/system'
import { Link } from 'react-router'
import { Property, PropertyList } from '@/components/property-list.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount, formatDateTime } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const FLOOR = '/?tab=print-queue&view=printers'

const STATES = {
  error: { label: t('Error'), tone: 'red' },
  offline: { label: t('Offline'), tone: 'grey' },
} as const

/** Counts the printers, and lists those that have an error or are offline. */
export function PrintersCard({ printers }: { printers: PrintersAndShops['printers'] }) {
  const { total, error, offline, stopped } = printers
  return (
    <Card
      title={t('Printers')}
      aside={
        <Link to={FLOOR} className="link">
          {t('All printers')}
        </Link>
      }
    >
      <p className="px-4 py-3 text-label text-ink-2">
        {t('{total, plural, one {# printer} other {# printers}}, {error} with an error, {offline} offline.', {
          total,
          error: formatCount(error),
          offline: formatCount(offline),
        })}
      </p>
      {stopped.length > 0 ? (
        <ul aria-label={t('Stopped printers')} className="divide-y divide-line border-t border-line">
          {stopped.map(({ id, name, state, reason }) => (
            <li key={id} className="flex items-start gap-3 px-4 py-2.5">
              <div className="min-w-0 flex-1">
                <Link to={`${FLOOR}&printer=${id}`} className="link font-medium wrap-anywhere">
                  <bdi>{name}</bdi>
                </Link>
                {reason ? (
                  <p className="mt-0.5 text-caption wrap-anywhere text-ink-3">{serverText(reason)}</p>
                ) : null}
              </div>
              <StatusBadge status={state} tone={STATES[state].tone}>
                {STATES[state].label}
              </StatusBadge>
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  )
}

const KINDS: Readonly<Record<ShopState['kind'], string>> = {
  pegasus: t('Own website'),
  woocommerce: 'WooCommerce',
  shopify: 'Shopify',
}

/** Shows the connected shops: when their orders were last compared, and why that last failed. */
export function ShopsCard({ shops }: { shops: readonly ShopState[] }) {
  return (
    <Card title={t('Shops')}>
      {shops.length === 0 ? <p className="p-4 text-ink-2">{t('No shop is connected.')}</p> : null}
      {shops.map((shop) => (
        <Shop key={shop.url} shop={shop} />
      ))}
    </Card>
  )
}

function Shop({ shop }: { shop: ShopState }) {
  const { kind, url, compared_at: comparedAt, failed_at: failedAt, problem } = shop
  const { refused_orders: orders, refused_parcels: parcels, unchecked_products: products } = shop
  return (
    <PropertyList>
      <Property name={KINDS[kind]}>
        <a href={url} target="_blank" rel="noreferrer" className="link">
          {url}
        </a>
      </Property>
      <Property name={t('Orders compared')}>
        {comparedAt === null ? t('not yet') : formatDateTime(comparedAt)}{' '}
        {shop.is_failing ? (
          <StatusBadge status="failed" tone="red">
            {t('failing')}
          </StatusBadge>
        ) : null}
      </Property>
      {failedAt !== null && problem !== null ? (
        <Property name={t('Last error')} unit={formatDateTime(failedAt)}>
          {serverText(problem)}
        </Property>
      ) : null}
      {orders > 0 ? (
        <Property name={t('Refused orders')}>
          <Link to="/?tab=orders" className="link">
            {formatCount(orders)}
          </Link>
        </Property>
      ) : null}
      {parcels > 0 ? <Property name={t('Refused parcels')}>{formatCount(parcels)}</Property> : null}
      {products > 0 ? (
        <Property name={t('Products not compared')}>
          <Link to="/?tab=products" className="link">
            {formatCount(products)}
          </Link>
        </Property>
      ) : null}
    </PropertyList>
  )
}
