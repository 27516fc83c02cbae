import { type Order, type OrderLine, type SetPart, pieceLines } from '@pegasus/contracts/orders/orders'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { type CountedLine, LineCounts, readCounts } from './line-counts.tsx'
import { type ReturnBody, useOrderActions } from '../order-page/use-order-actions.ts'
import { t } from '@/lib/i18n/messages.ts'

type ReturnField = 'to' | 'reason'

/** Returns the lines with pieces that the customer has. A set is replaced by its parts. */
const returnable = (order: Order): CountedLine[] =>
  pieceLines(order.items)
    .map((line) => ({ line, most: piecesOut(line) }))
    .filter(({ most }) => most > 0)

const piecesOut = (line: OrderLine | SetPart): number => line.shipped_quantity - line.returned_quantity

/** Returns the refunded pieces of each line. The shop refunds whole sets. */
const refundedPieces = ({ items }: Order): [line: OrderLine | SetPart, refunded: number][] =>
  items.flatMap((line): [OrderLine | SetPart, number][] =>
    line.is_set
      ? line.parts.map((part) => [part, line.refunded_quantity * part.pieces_per_set])
      : [[line, line.refunded_quantity]],
  )

/** Returns the refunded pieces that have not been returned yet, for the fields of the dialog. */
const refundedIn = (order: Order): Record<string, string> =>
  Object.fromEntries(
    refundedPieces(order)
      .map(
        ([line, refunded]) =>
          [line.id, Math.min(piecesOut(line), refunded - line.returned_quantity)] as const,
      )
      .filter(([, count]) => count > 0)
      .map(([id, count]) => [id, String(count)]),
  )

/**
 * Takes shipped pieces back from the customer. They go back into stock, or are scrapped. Pieces that the shop has
 * refunded are filled in.
 */
export function ReturnDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const actions = useOrderActions(order)
  const lines = returnable(order)
  const [proposed] = useState(() => refundedIn(order))
  const [counts, setCounts] = useState(proposed)
  const items = readCounts(lines, counts)
  const total = items?.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0
  const state = useNewForm({
    start: { to: 'stock', reason: '' },
    read: ({ to, reason }: FormText<ReturnField>): ReadResult<ReturnBody, ReturnField> => ({
      body: {
        items: (items ?? []).map((item) => ({ ...item, to: to === 'scrap' ? 'scrap' : 'stock', reason })),
      },
      errors: null,
    }),
    create: async (body, headers) => {
      await actions.takeBack(body, headers)
      onClose()
    },
  })
  return (
    <FormDialog
      state={{ ...state, hasChanges: state.hasChanges || counts !== proposed }}
      submitLabel={
        total > 0 ? t('Take back {total, plural, one {# piece} other {# pieces}}', { total }) : t('Take back')
      }
      submitButton={{ disabled: total === 0 }}
      onClose={onClose}
      title={t('Return of {order_number}', { order_number: order.order_number })}
    >
      <LineCounts lines={lines} counts={counts} onChange={setCounts} />
      {items === null ? (
        <p role="alert" className="mt-2 text-label text-red-ink">
          {t('Enter whole numbers, at most the shipped quantity.')}
        </p>
      ) : null}
      <div className="mt-4 grid grid-cols-2 items-start gap-4 phone:grid-cols-1">
        <Field label={t('Where the pieces go')} error={state.errors.to}>
          <Select {...state.bind('to')}>
            <option value="stock">{t('Back into stock')}</option>
            <option value="scrap">{t('To scrap')}</option>
          </Select>
        </Field>
        <Field label={t('Reason')} error={state.errors.reason}>
          <Input {...state.bind('reason')} maxLength={500} autoComplete="off" dir="auto" />
        </Field>
      </div>
    </FormDialog>
  )
}
