import type { Product } from '@pegasus/contracts/products/products'
import type { SiteCheck, SiteDifference, SiteValues } from '@pegasus/contracts/products/sync-check'
import { RefreshCw } from 'lucide-react'
import { useId } from 'react'
import { MediaPicture } from '@/components/media-picture.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { formatAgo, formatCount, formatDateTime, formatMoney } from '@/lib/format/format.ts'
import { useConfig } from '@/lib/http/config.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { useAcceptSiteValues, useCheckProduct } from '../products.queries.ts'
import { PublishButton } from './publish-button.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const FIELD_WORDS: Readonly<Record<SiteDifference['field'], string>> = {
  name: t('Name'),
  price: t('Price'),
  stock: t('Stock'),
  images: t('Pictures'),
  posterUrl: t('Poster'),
}

const SUMMARIES: Readonly<Record<SiteCheck['outcome'], string>> = {
  same: t('The shop has the published values.'),
  differs: t('The shop has different values.'),
  missing: t('The shop no longer has this product.'),
  unknown: t('The state in the shop is unknown.'),
}

interface SiteCheckCardProps {
  product: Product
  mayWrite: boolean
}

/**
 * Compares a published product with the shop. Shows the shop's value of each field that differs both from our
 * value and from the value that was sent last.
 */
export function SiteCheckCard({ product, mayWrite }: SiteCheckCardProps) {
  const nowMs = useNow()
  const check = useCheckProduct(product.id)
  const siteUrl = useConfig()?.main_site_url
  const { site_check: siteCheck } = product
  if (product.status !== 'published' || !siteUrl) return null
  const isOther = siteCheck?.outcome === 'differs' || siteCheck?.outcome === 'missing'
  const showError = (error: unknown) =>
    toast({ title: errorMessage(error, t('That did not work. Please try again.')) })
  return (
    <Card
      title={t('In the shop')}
      aside={
        siteCheck ? (
          <span title={formatDateTime(siteCheck.checked_at)}>
            {t('checked {checked_at}', { checked_at: formatAgo(siteCheck.checked_at, nowMs) })}
          </span>
        ) : null
      }
    >
      <div className="flex flex-col gap-3 p-4">
        {isOther ? (
          <AlertBox tone="warning">{SUMMARIES[siteCheck.outcome]}</AlertBox>
        ) : (
          <p className="text-ink-2">
            {siteCheck ? SUMMARIES[siteCheck.outcome] : t('Not checked against the shop yet.')}{' '}
            {product.has_unpublished_changes ? t('Later changes here are not published yet.') : null}
          </p>
        )}
        {siteCheck && siteCheck.problem !== null ? <Problem siteCheck={siteCheck} nowMs={nowMs} /> : null}
      </div>
      {siteCheck && siteCheck.differences.length > 0 ? (
        <ul className="divide-y divide-line border-t border-line" aria-label={t('Differences')}>
          {siteCheck.differences.map((difference) => (
            <Difference
              key={difference.field}
              product={product}
              difference={difference}
              mayWrite={mayWrite}
            />
          ))}
        </ul>
      ) : null}
      {siteCheck && siteCheck.unpublished.length > 0 ? <Unpublished fields={siteCheck.unpublished} /> : null}
      {mayWrite ? (
        <div className="flex flex-wrap gap-2 border-t border-line px-4 py-3">
          <Button
            icon={<RefreshCw size={16} strokeWidth={1.75} aria-hidden />}
            isPending={check.isPending}
            onClick={() => check.mutate(undefined, { onError: showError })}
          >
            {t('Check now')}
          </Button>
          {isOther ? <PublishButton product={product} isPush /> : null}
        </div>
      ) : null}
    </Card>
  )
}

const Problem = ({ siteCheck, nowMs }: { siteCheck: SiteCheck; nowMs: number }) => (
  <p className="text-label wrap-anywhere text-yellow-ink">
    {serverText(siteCheck.problem ?? '')}
    {siteCheck.known_at ? (
      <span className="block text-caption text-ink-3" title={formatDateTime(siteCheck.known_at)}>
        {t('The last complete comparison was {known_at}.', {
          known_at: formatAgo(siteCheck.known_at, nowMs),
        })}
      </span>
    ) : null}
  </p>
)

const Unpublished = ({ fields }: { fields: readonly SiteValues[] }) => (
  <section aria-label={t('Not published yet')} className="border-t border-line px-4 py-2.5">
    <h3 className="text-label text-yellow-ink">{t('Not published yet')}</h3>
    <ul className="divide-y divide-line">
      {fields.map((values) => (
        <li key={values.field} className="py-2">
          <p className="font-medium">{FIELD_WORDS[values.field]}</p>
          <Values values={values} place="shop" />
        </li>
      ))}
    </ul>
  </section>
)

interface DifferenceProps {
  product: Product
  difference: SiteDifference
  mayWrite: boolean
}

function Difference({ product, difference, mayWrite }: DifferenceProps) {
  const accept = useAcceptSiteValues(product.id)
  const nameId = useId()
  const { field, since } = difference
  const word = FIELD_WORDS[field]
  const handleAccept = () =>
    accept.mutate(
      { body: { [field]: difference.theirs }, revision: product.revision },
      {
        onSuccess: () => toast({ title: t('{word} accepted from the shop', { word }) }),
        onError: (error) => toast({ title: errorMessage(error, t('That did not work. Please try again.')) }),
      },
    )
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5" aria-labelledby={nameId}>
      <div className="min-w-0 flex-1">
        <p id={nameId} className="font-medium">
          {word}
        </p>
        <Values values={difference} place="site" />
        <p className="text-caption text-ink-3">{t('since {since}', { since: formatDateTime(since) })}</p>
        {field === 'stock' && product.inventory_item_id !== null ? (
          <p className="text-caption text-ink-3">{t('Accepting it adjusts the pieces of the item.')}</p>
        ) : null}
      </div>
      {mayWrite ? (
        <Button
          size="sm"
          isPending={accept.isPending}
          aria-label={t('Accept theirs: {word}', { word })}
          onClick={handleAccept}
        >
          {t('Accept theirs')}
        </Button>
      ) : null}
    </li>
  )
}

interface PlacedProps<Value> {
  ours: Value
  theirs: Value
  /** The word for the shop in the text. */
  place: 'shop' | 'site'
}

function Values({ values, place }: { values: SiteValues; place: PlacedProps<unknown>['place'] }) {
  switch (values.field) {
    case 'images':
      return <Pictures ours={values.ours} theirs={values.theirs} place={place} />
    case 'posterUrl':
      return <Pictures ours={listOf(values.ours)} theirs={listOf(values.theirs)} place={place} />
    case 'price':
      return <Words ours={formatMoney(values.ours)} theirs={formatMoney(values.theirs)} place={place} />
    case 'stock':
      return <Words ours={formatCount(values.ours)} theirs={formatCount(values.theirs)} place={place} />
    case 'name':
      return <Words ours={`“${values.ours}”`} theirs={`“${values.theirs}”`} place={place} />
  }
}

const listOf = (address: string | null): string[] => (address === null ? [] : [address])

const Words = ({ ours, theirs, place }: PlacedProps<string>) => (
  <p className="text-label wrap-anywhere">
    {rich('Here {ours}, {place} {theirs}', {
      ours: <bdi className="font-semibold">{ours}</bdi>,
      place: place === 'shop' ? t('in the shop') : t('on the site'),
      theirs: <bdi className="font-semibold">{theirs}</bdi>,
    })}
  </p>
)

const Pictures = ({ ours, theirs, place }: PlacedProps<readonly string[]>) => (
  <dl className="mt-1 grid grid-cols-[auto_1fr] items-center gap-x-2 gap-y-1 text-label">
    {[
      { name: t('Here'), addresses: ours },
      { name: place === 'shop' ? t('In the shop') : t('On the site'), addresses: theirs },
    ].map(({ name, addresses }) => (
      <div key={name} className="contents">
        <dt>{name}</dt>
        <dd className="flex min-w-0 flex-wrap gap-1">
          {addresses.length === 0 ? <span className="text-ink-3">{t('none')}</span> : null}
          {addresses.map((address, at) => (
            <MediaPicture
              key={`${at} ${address}`}
              src={address}
              width={160}
              alt={t('{name}, picture {at}', { name, at: at + 1 })}
              className="size-10"
            />
          ))}
        </dd>
      </div>
    ))}
  </dl>
)
