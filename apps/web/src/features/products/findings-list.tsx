import type { ProductReview } from '@pegasus/contracts/products/setup'
import { Ban, Check, CircleAlert, Info } from 'lucide-react'
import { isField, type ProductField } from './product-form/product-form.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

type Finding = ProductReview['findings'][number]

const LOOKS = {
  fault: { Icon: CircleAlert, className: 'text-red-ink' },
  block: { Icon: Ban, className: 'text-red-ink' },
  notice: { Icon: Info, className: 'text-yellow-ink' },
} as const

interface FindingsListProps {
  review: ProductReview
  onField: (field: ProductField) => void
}

/** Lists the results of the check before publishing, each with a link to its field. */
export function FindingsList({ review, onField }: FindingsListProps) {
  const { findings, license_verdict: verdict } = review
  const has = (kind: Finding['kind'], ...fields: string[]) =>
    findings.some((each) => each.kind === kind && (fields.length === 0 || fields.includes(each.field)))
  return (
    <ul aria-label={t('Findings')} className="flex flex-col gap-2 border-t border-line p-4 text-label">
      {has('fault') ? null : <Good>{t('Every required field is filled')}</Good>}
      {verdict === 'blocked' ? null : <Good>{t('License allows the sale')}</Good>}
      {has('notice', 'images', 'posterUrl') ? null : <Good>{t('It has pictures and a poster')}</Good>}
      {findings.map(({ kind, field, message }) => {
        const { Icon, className } = LOOKS[kind]
        return (
          <li key={`${field} ${message}`} className={`flex items-start gap-2 ${className}`}>
            <Icon size={14} className="mt-0.5 shrink-0" aria-hidden />
            <span className="min-w-0 flex-1 wrap-anywhere">{serverText(message)}</span>
            {isField(field) ? (
              <button
                type="button"
                className="link shrink-0"
                aria-label={t('Edit: {message}', { message })}
                onClick={() => onField(field)}
              >
                {t('Edit')}
              </button>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}

const Good = ({ children }: { children: string }) => (
  <li className="flex items-start gap-2">
    <Check size={14} className="mt-0.5 shrink-0 text-green-ink" aria-hidden />
    {children}
  </li>
)
