import { MAX_TYPED_QUANTITY } from '@pegasus/contracts/orders/order-body'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { amountText, typedNumber } from '@/lib/forms/typed-number.ts'
import { formatCount, formatMoney } from '@/lib/format/format.ts'
import { useConfig } from '@/lib/http/config.ts'
import { amountProblem } from './amount-fields.tsx'
import type { PickedItem } from './item-search.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'

/** An order line in a form, with its values as typed text. */
export interface TypedLine {
  /** Unique within the form. */
  key: string
  sku: string
  name: string
  quantity: string
  price: string
  /** Why the price cannot change, for a line with shipped pieces. */
  fixedPrice?: string
}

export const LINE_PROBLEM = t(
  'Each line needs a whole number of pieces, from 1 to {most}, and a price of 0 or more.',
  { most: formatCount(MAX_TYPED_QUANTITY) },
)

/** Parses a number. An invalid number becomes NaN, which the schema reports. */
const numberOf = (text: string): number => typedNumber(text) ?? Number.NaN

/** Returns what is wrong with the first invalid price, or null if all prices are valid. */
export const priceProblem = (lines: readonly TypedLine[], currency: string): string | null =>
  lines.map(({ price }) => amountProblem(price, currency)).find((problem) => problem !== null) ?? null

/** Converts the lines for the API. */
export const wireLines = (lines: readonly TypedLine[]) =>
  lines.map(({ sku, name, quantity, price }) => ({
    sku,
    name,
    quantity: numberOf(quantity),
    unit_price: numberOf(price),
  }))

/** Returns the sum of the lines; NaN while a number is invalid. */
export const sumOfLines = (lines: readonly TypedLine[]): number =>
  lines.reduce((sum, { quantity, price }) => sum + numberOf(quantity) * numberOf(price), 0)

/**
 * Adds an item to the lines. If the item has a line already, its quantity increases by one. A line with a fixed price
 * stays unchanged, because the new pieces may have another price.
 */
export function withItem(lines: readonly TypedLine[], item: PickedItem): readonly TypedLine[] {
  const known = lines.findIndex(
    ({ sku, fixedPrice }) => sku !== '' && sku === item.sku && fixedPrice === undefined,
  )
  if (known >= 0)
    return lines.map((line, index) =>
      index === known ? { ...line, quantity: String((typedNumber(line.quantity) ?? 0) + 1) } : line,
    )
  const { id: key, sku, name, price } = item
  return [...lines, { key, sku, name, quantity: '1', price: amountText(price ?? 0) }]
}

interface TypedLinesProps {
  lines: readonly TypedLine[]
  /** The new total of the order. Left out if it is shown elsewhere. */
  total?: number
  /** Returns a remark about a line, which is shown below it. */
  hintOf?: (key: string) => ReactNode
  onChange: (lines: readonly TypedLine[]) => void
}

/** Lists the lines of an order, each with fields for quantity and price. */
export function TypedLines({ lines, total, hintOf, onChange }: TypedLinesProps) {
  const currency = useConfig()?.currency ?? 'USD'
  const edit = (at: number, part: Partial<TypedLine>) =>
    onChange(lines.map((line, index) => (index === at ? { ...line, ...part } : line)))
  if (lines.length === 0) return null
  return (
    <ul className="mt-3 divide-y divide-line rounded-card border border-line">
      {/* On a phone, the fields are below the name, and show their units. */}
      <li aria-hidden className="flex gap-2 px-3 py-1.5 text-caption text-ink-3 phone:hidden">
        <span className="min-w-0 flex-1">{t('Item')}</span>
        <span className="w-28">{t('Quantity')}</span>
        <span className="w-32">{t('Price')}</span>
        <span className="w-7 touch:w-11" />
      </li>
      {lines.map(({ key, sku, name, quantity, price, fixedPrice }, at) => (
        <li key={key} className="flex flex-wrap items-center gap-2 px-3 py-2">
          <span className="min-w-0 flex-1 phone:basis-full">
            <bdi className="block truncate font-medium" title={name || sku}>
              {name || sku}
            </bdi>
            <span className="block truncate text-caption text-ink-3 code">{sku}</span>
            {fixedPrice ? (
              <span id={`fixed-${key}`} className="block text-caption text-ink-3">
                {fixedPrice}
              </span>
            ) : null}
          </span>
          <Input
            aria-label={t('Quantity of {name}', { name: name || sku })}
            inputMode="numeric"
            autoComplete="off"
            unit={t('pcs')}
            className="w-28"
            value={quantity}
            onChange={({ target }) => edit(at, { quantity: target.value })}
          />
          <Input
            aria-label={t('Price of {name}', { name: name || sku })}
            inputMode="decimal"
            autoComplete="off"
            unit={currency}
            className="w-32"
            value={price}
            {...(fixedPrice && { readOnly: true, 'aria-describedby': `fixed-${key}` })}
            onChange={({ target }) => edit(at, { price: target.value })}
          />
          <IconButton
            size="sm"
            label={t('Remove {name}', { name: name || sku })}
            disabled={fixedPrice !== undefined}
            onClick={() => onChange(lines.filter((_, index) => index !== at))}
          >
            <X size={14} strokeWidth={1.75} aria-hidden />
          </IconButton>
          {hintOf?.(key)}
        </li>
      ))}
      {total === undefined ? null : (
        <li className="flex justify-between px-3 py-2 font-semibold">
          {rich('Total {total}', { total: <span>{Number.isFinite(total) ? formatMoney(total) : '–'}</span> })}
        </li>
      )}
    </ul>
  )
}
