import type { ProductReview } from '@pegasus/contracts/products/setup'
import { readBulkTiers, parseTags } from '@pegasus/contracts/products/product-rules'
import { isAdmin } from '@pegasus/contracts/roles'
import type { ReactNode } from 'react'
import { MediaPicture } from '@/components/media-picture.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Tag } from '@/components/ui/display/badge.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { formatCount, formatMoney } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { ProvisionalNote, marginLabel } from '../cost-sum.tsx'
import { licenseLabel } from '../product-form/license-labels.ts'
import { MediaName } from '../product-form/media-name.tsx'
import type { ProductForm, Step } from '../product-form/product-form.ts'
import { isVideoAddress } from '../product-form/product-media-files.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { categoryLabel } from '../product-form/category-labels.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

interface ReviewStepProps {
  form: ProductForm
  review: ProductReview | undefined
  onStep: (step: Step) => void
  reason: string
  onReason: (reason: string) => void
}

/** Step 4: a summary of all fields, with links back to each part. */
export function ReviewStep({ form, review, onStep, reason, onReason }: ReviewStepProps) {
  return (
    <div className="divide-y divide-line">
      {review?.license_verdict === 'blocked' ? <Override reason={reason} onReason={onReason} /> : null}
      <Part title={t('Basics')} onEdit={() => onStep(1)}>
        <Row name={t('Name')}>
          <bdi>{form.name}</bdi>
        </Row>
        <Row name={t('Slug')}>{form.slug}</Row>
        <Row name={t('Category')}>{categoryLabel(form.category)}</Row>
        <Row name={t('Price')}>
          {form.price === '' ? null : formatMoney(Number(form.price))}
          {review?.cost ? (
            <Note>
              {Number(form.price) > 0
                ? t('margin {margin}, cost {cost}', {
                    margin: marginLabel(Number(form.price), review.cost),
                    cost: formatMoney(review.cost),
                  })
                : t('cost {cost}', { cost: formatMoney(review.cost) })}
            </Note>
          ) : null}
        </Row>
        {review?.cost_sheet ? <ProvisionalNote cost={review.cost_sheet} className="my-1" /> : null}
        <Row name={t('Stock')}>{form.stock === '' ? null : formatCount(Number(form.stock))}</Row>
        <Row name={t('Description')}>
          <bdi className="whitespace-pre-line">{form.description}</bdi>
        </Row>
        <Row name={t('Tags')}>
          {parseTags(form.tags).length > 0 ? (
            <span className="flex flex-wrap gap-1">
              {parseTags(form.tags).map((tag) => (
                <Tag key={tag}>{tag}</Tag>
              ))}
            </span>
          ) : null}
        </Row>
      </Part>
      <Part title={t('Media')} note={mediaLine(form)} onEdit={() => onStep(2)}>
        <MediaStrip form={form} />
      </Part>
      <Part title={t('Extras')} onEdit={() => onStep(3)}>
        <Row name={t('Bulk tiers')}>
          <Tiers json={form.bulkTiers} />
        </Row>
        <Row name={t('License')}>{form.license ? licenseLabel(form.license) : t('None: our own design')}</Row>
        <Row name={t('Designer')}>
          {form.designer || form.designerUrl ? (
            <bdi>{joinFacts([form.designer, form.designerUrl])}</bdi>
          ) : null}
        </Row>
        {review && review.attributions.length > 0 ? (
          <Row name={t('Attribution')}>{review.attributions.join('\n')}</Row>
        ) : null}
      </Part>
    </div>
  )
}

function Override({ reason, onReason }: Pick<ReviewStepProps, 'reason' | 'onReason'>) {
  const { role } = useCurrentUser()
  return (
    <div className="flex flex-col gap-3 p-6 phone:p-4">
      <AlertBox title={t('The license does not allow selling this.')}>
        {isAdmin(role)
          ? t('If the author has allowed it anyway, explain how. The explanation is stored with your name.')
          : t('An admin or owner can explain why it may be sold. Share this draft, and they can publish it.')}
      </AlertBox>
      {isAdmin(role) ? (
        <Field
          label={t('Why this may be sold')}
          hint={t('Who allowed it, when, and where this is documented.')}
        >
          <Textarea rows={2} value={reason} dir="auto" onChange={(event) => onReason(event.target.value)} />
        </Field>
      ) : null}
    </div>
  )
}

interface PartProps {
  title: string
  note?: string | null
  onEdit: () => void
  children: ReactNode
}

const Part = ({ title, note, onEdit, children }: PartProps) => (
  <section className="p-6 phone:p-4">
    <div className="mb-1.5 flex items-baseline gap-2">
      <h2 className="font-semibold">{title}</h2>
      {note ? <span className="text-label text-ink-3">{note}</span> : null}
      <button
        type="button"
        className="link ms-auto text-label"
        aria-label={t('Edit {title}', { title })}
        onClick={onEdit}
      >
        {t('Edit')}
      </button>
    </div>
    {children}
  </section>
)

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex gap-4 py-1 phone:gap-3">
    <span className="w-28 shrink-0 text-ink-2 phone:w-22">{name}</span>
    <div className="min-w-0 flex-1 wrap-anywhere whitespace-pre-line">
      {children || <span className="text-ink-3">–</span>}
    </div>
  </div>
)

const Note = ({ children }: { children: ReactNode }) => <span className="text-ink-3"> · {children}</span>

/** Returns the number of images and videos. A poster that is one of the images is counted only once. */
function mediaLine({ images, videos, posterUrl }: ProductForm): string | null {
  const count = images.length
  const hasPoster = posterUrl !== '' && !images.includes(posterUrl) && !videos.includes(posterUrl)
  const parts = [
    count > 0 && !hasPoster && t('{images, plural, one {# image} other {# images}}', { images: count }),
    count > 0 &&
      hasPoster &&
      t('{images, plural, one {# image} other {# images}} and a poster', { images: count }),
    count === 0 && hasPoster && t('a poster'),
    videos.length > 0 && t('{videos, plural, one {# video} other {# videos}}', { videos: videos.length }),
  ].filter(Boolean)
  return joinFacts(parts) || null
}

function MediaStrip({ form: { images, videos, posterUrl } }: { form: ProductForm }) {
  const all = [...new Set([...(posterUrl ? [posterUrl] : []), ...images, ...videos])]
  if (all.length === 0) return <p className="text-ink-3">{t('No pictures or videos')}</p>
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(112px,1fr))] gap-2.5">
      {all.map((address) => (
        <li key={address} className="relative min-w-0">
          <MediaPicture
            src={address}
            isVideo={isVideoAddress(address)}
            width={320}
            className="aspect-square w-full"
          />
          {address === posterUrl ? (
            <span className="absolute top-1.5 start-1.5 rounded-badge bg-surface px-1.5 py-0.5 text-caption text-ink-2">
              {t('Poster')}
            </span>
          ) : null}
          <MediaName address={address} className="mt-1" />
        </li>
      ))}
    </ul>
  )
}

function Tiers({ json }: { json: string }) {
  const read = readBulkTiers(json)
  if (!read.ok) return <span className="text-red-ink">{serverText(read.message)}</span>
  if (!read.tiers || read.tiers.length === 0) return null
  return (
    <span className="flex flex-wrap divide-x divide-line-2 *:px-2.5 *:first:ps-0">
      {read.tiers.map(({ quantity, price }) => (
        <span key={quantity}>
          {t('{quantity} for {price}', { quantity: formatCount(quantity), price: formatMoney(price) })}
        </span>
      ))}
    </span>
  )
}
