import { type UpdateOrderBody, updateOrderBody } from '@pegasus/contracts/orders/order-body'
import { updateOrder } from '@pegasus/contracts/orders/order-changes'
import { type Order, type OrderLine, getOrder } from '@pegasus/contracts/orders/orders'
import { useState } from 'react'
import { EditConflict, OtherValue } from '@/components/edit-conflict.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { amountText, typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { formatMoney } from '@/lib/format/format.ts'
import { ApiError } from '@/lib/http/api-error.ts'
import { editCalls } from '@/lib/http/api.ts'
import { useConfig } from '@/lib/http/config.ts'
import { ItemSearch } from './item-search.tsx'
import { type LineMerge, mergeLines } from './merge-lines.ts'
import {
  LINE_PROBLEM,
  type TypedLine,
  TypedLines,
  priceProblem,
  sumOfLines,
  wireLines,
  withItem,
} from './typed-lines.tsx'
import { useOrderRefresh } from '../use-order-refresh.ts'
import { t } from '@/lib/i18n/messages.ts'

const linesOf = (order: Order): TypedLine[] =>
  order.items.map((line) => ({
    key: line.id,
    sku: line.sku,
    name: line.name,
    quantity: String(line.quantity),
    price: amountText(line.unit_price),
    ...(isSold(line) && { fixedPrice: t('Pieces were shipped at this price, so it is fixed.') }),
  }))

/** Returns whether pieces of a line were shipped. */
const isSold = ({ shipped_quantity: shipped, parts }: OrderLine): boolean =>
  [shipped, ...parts.map((part) => part.shipped_quantity)].some((count) => count > 0)

/**
 * Returns the part of the total that does not come from lines: shipping, tax, discount, and any unexplained
 * difference.
 */
const besidesLines = (order: Order): number =>
  order.total_amount - order.items.reduce((sum, line) => sum + line.quantity * line.unit_price, 0)

const cents = (amount: number): number => Math.max(0, Math.round(amount * 1000) / 1000)

/** Returns the saved values of a line as a person reads them. A removed line has 0 pieces. */
function describeLine({ saved }: LineMerge['changed'][number]): string {
  if (saved === null) return t('0 pieces')
  const quantity = typedNumber(saved.quantity) ?? 0
  const count = t('{quantity, plural, one {# piece} other {# pieces}}', { quantity })
  return t('{count} at {price}', { count, price: formatMoney(typedNumber(saved.price) ?? 0) })
}

/**
 * Edits the lines of an order. The total changes with them. A line with shipped pieces keeps its SKU and its price.
 * If somebody else has changed the lines first, the dialog shows what they changed and keeps the typed values.
 */
export function EditLinesDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const refresh = useOrderRefresh()
  const currency = useConfig()?.currency ?? 'USD'
  // The dialog keeps the revision with which it was opened, so that it does not overwrite later changes by
  // others.
  const [base, setBase] = useState(order)
  const [lines, setLines] = useState<readonly TypedLine[]>(() => linesOf(base))
  const [merge, setMerge] = useState<LineMerge | null>(null)
  const total = cents(besidesLines(base) + sumOfLines(lines))
  const { save, reread } = editCalls(getOrder, updateOrder, { id: base.id })
  const mergeTheirs = async () => {
    const current = await reread()
    const merged = mergeLines(linesOf(base), lines, linesOf(current))
    setBase(current)
    setLines(merged.lines)
    setMerge(merged)
  }
  const state = useNewForm<never, UpdateOrderBody, 'items'>({
    start: {},
    read: () => {
      const parsed = updateOrderBody.safeParse({ items: wireLines(lines) })
      if (!parsed.success) return { body: null, errors: { items: LINE_PROBLEM } }
      const prices = priceProblem(lines, currency)
      return prices === null ? { body: parsed.data, errors: null } : { body: null, errors: { items: prices } }
    },
    create: async (body) => {
      try {
        await save({ body, revision: base.revision })
      } catch (error) {
        if (error instanceof ApiError && error.status === 412) return mergeTheirs()
        throw error
      }
      toast({ title: t('Lines of {order_number} saved', { order_number: base.order_number }) })
      void refresh('pieces')
      onClose()
    },
  })
  const change = (next: readonly TypedLine[]) => {
    state.clearError('items')
    setLines(next)
  }
  const conflictOf = (key: string) =>
    merge?.conflicts.includes(key) ? merge.changed.find((line) => line.key === key) : undefined
  /** Replaces the typed values of a line by the saved ones. */
  const takeTheirs = ({ key, saved }: LineMerge['changed'][number]) => {
    change(lines.flatMap((line) => (line.key !== key ? [line] : saved ? [{ ...line, ...saved }] : [])))
    if (merge) setMerge({ ...merge, conflicts: merge.conflicts.filter((other) => other !== key) })
  }
  return (
    <FormDialog
      state={{ ...state, hasChanges: JSON.stringify(lines) !== JSON.stringify(linesOf(base)) }}
      submitLabel={merge ? t('Save again') : t('Save lines')}
      onClose={onClose}
      title={t('Lines of {order_number}', { order_number: base.order_number })}
      size="lg"
    >
      {merge ? <EditConflict {...conflictTexts(merge)} className="mb-4" /> : null}
      <Field label={t('Items')} error={state.errors.items}>
        <ItemSearch onPick={(item) => change(withItem(lines, item))} />
      </Field>
      <TypedLines
        lines={lines}
        total={total}
        hintOf={(key) => {
          const theirs = conflictOf(key)
          return theirs ? (
            <div className="basis-full text-caption text-ink-2">
              <OtherValue text={describeLine(theirs)} onTake={() => takeTheirs(theirs)} />
            </div>
          ) : null
        }}
        onChange={change}
      />
    </FormDialog>
  )
}

/** Returns the changed lines as fields of a form, each with its saved values as text. */
function conflictTexts({ changed, conflicts, dropped }: LineMerge) {
  const keys = changed.map(({ key }) => key)
  const labels = Object.fromEntries(changed.map(({ key, name }) => [key, name]))
  const theirs = Object.fromEntries(changed.map((line) => [line.key, describeLine(line)]))
  return {
    labels,
    merge: { form: theirs, theirs, changed: keys, conflicts },
    dropped: dropped.map(({ key, what }) =>
      what === 'price'
        ? t('Pieces of {name} were shipped in the meantime, so your new price is not used.', {
            name: labels[key] ?? '',
          })
        : t('{name} was changed or shipped in the meantime, so the line is here again.', {
            name: labels[key] ?? '',
          }),
    ),
  }
}
