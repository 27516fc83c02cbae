import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { formatCount } from '@/lib/format/format.ts'
import { formOf, ITEM_LABELS, type ItemForm } from './item-form.ts'
import { FORWARD_ARROW } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'

const ITEMS_SHOWN = 6

/** A field of an item that a bulk edit changes. */
export interface FieldChange {
  field: keyof ItemForm
  before: string
  after: string
}

/** Returns the changes that a bulk edit makes in an item. Empty fields and equal values make no change. */
export const changesOf = (item: InventoryItem, next: Partial<ItemForm>): FieldChange[] => {
  const now = formOf(item)
  return (Object.keys(next) as (keyof ItemForm)[]).flatMap((field) => {
    const after = next[field]?.trim() ?? ''
    return now[field] === after || isSameNumber(now[field], after)
      ? []
      : [{ field, before: now[field], after }]
  })
}

const isSameNumber = (one: string, other: string): boolean =>
  one !== '' && other !== '' && typedNumber(one) === typedNumber(other)

interface BulkPreviewProps {
  items: readonly InventoryItem[]
  /** The new values by field. An empty value clears the field. */
  next: Partial<ItemForm>
}

/** Previews the changes of a bulk edit before it is saved. */
export function BulkPreview({ items, next }: BulkPreviewProps) {
  const changed = items
    .map((item) => ({ item, changes: changesOf(item, next) }))
    .filter(({ changes }) => changes.length > 0)
  if (Object.keys(next).length === 0) return null
  return (
    <section aria-label={t('Preview')} className="col-span-full rounded-control border border-line">
      <h3 className="border-b border-line px-3 py-2 text-label font-medium" role="status">
        {changed.length === 0
          ? t('All of them already have these values')
          : t('{changed} of {items, plural, one {# item} other {# items}} will change', {
              changed: formatCount(changed.length),
              items: items.length,
            })}
      </h3>
      {changed.length > 0 ? (
        <ul className="divide-y divide-line text-label">
          {changed.slice(0, ITEMS_SHOWN).map(({ item, changes }) => (
            <li key={item.id} className="px-3 py-1.5">
              <bdi className="block truncate font-medium" title={item.name}>
                {item.name}
              </bdi>
              <span className="block text-ink-2 wrap-anywhere">
                {changes.map(({ field, before, after }) => (
                  <span key={field} className="me-3 inline-block">
                    {ITEM_LABELS[field]} <bdi className="text-ink-3 line-through">{before || t('none')}</bdi>{' '}
                    <span aria-hidden>{FORWARD_ARROW}</span>{' '}
                    <bdi className="font-medium text-ink">{after || t('none')}</bdi>
                  </span>
                ))}
              </span>
            </li>
          ))}
          {changed.length > ITEMS_SHOWN ? (
            <li className="px-3 py-1.5 text-ink-3">
              {t('and {changed, plural, one {# more item} other {# more items}}', {
                changed: changed.length - ITEMS_SHOWN,
              })}
            </li>
          ) : null}
        </ul>
      ) : null}
    </section>
  )
}
