import { MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory/items'
import { itemStatus } from '@pegasus/contracts/inventory/item-status'
import { HELD_ITEM_STATUSES } from '@pegasus/contracts/statuses'
import type { ComponentProps, ReactNode } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { StockGauge } from '@/components/ui/charts/stock-gauge.tsx'
import { formatCount } from '@/lib/format/format.ts'
import type { FieldErrors } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import type { ItemForm, NewItemField } from './item-form.ts'
import type { PickedModel } from './model-picker.tsx'
import { SAVE_FAILED } from './save-error.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

interface ItemDialogProps {
  /** The result of `useNewForm` or `useMergedEdit`. */
  state: ComponentProps<typeof FormDialog>['state'] & { form: ItemForm; errors: FieldErrors<NewItemField> }
  submitLabel: string
  /** Shown below the title, which is the same for new and existing items. */
  description: ReactNode
  model: PickedModel | null
  reserved: number
  /** Shown below the picture of the item. */
  aside?: ReactNode
  onClose: () => void
  children: ReactNode
}

/**
 * The form of an item with a preview. For every failed save, the footer shows the specification's text. The server's
 * reason appears at its field, or above the fields.
 */
export const ItemDialog = ({
  state,
  submitLabel,
  description,
  model,
  reserved,
  aside,
  onClose,
  children,
}: ItemDialogProps) => (
  <FormDialog
    state={{ ...state, failure: state.failure === null ? null : SAVE_FAILED }}
    submitLabel={submitLabel}
    onClose={onClose}
    title={t('Add/Edit Inventory Item')}
    description={description}
    size="lg"
    isFlush
  >
    <div className="flex min-h-full border-t border-line phone:block">
      <aside className="w-64 shrink-0 border-e border-line bg-sunken p-5 phone:hidden">
        <Preview form={state.form} model={model} reserved={reserved} />
        {aside}
      </aside>
      <div className="min-w-0 flex-1 p-5 phone:p-4">
        {state.failure !== null &&
        state.failure !== SAVE_FAILED &&
        !Object.values(state.errors).some(Boolean) ? (
          <AlertBox tone="note" className="mb-4">
            {state.failure}
          </AlertBox>
        ) : null}
        {children}
      </div>
    </div>
  </FormDialog>
)

const piecesOf = (text: string): number => {
  const pieces = typedNumber(text) ?? 0
  return Number.isFinite(pieces) ? Math.min(MAX_ITEM_QUANTITY, Math.max(0, Math.trunc(pieces))) : 0
}

/** Shows the picture, stock and status that the current field values result in. */
function Preview({
  form,
  model,
  reserved,
}: { form: ItemForm } & Pick<ItemDialogProps, 'model' | 'reserved'>) {
  const stock = {
    quantity: piecesOf(form.quantity),
    reserved_quantity: reserved,
    reorder_point: piecesOf(form.reorder_point),
    max_stock: piecesOf(form.max_stock),
  }
  const held = HELD_ITEM_STATUSES.find((each) => each === form.status) ?? null
  const status = itemStatus({ ...stock, held })
  return (
    <>
      <PartPicture
        src={model?.picture ?? null}
        tint={form.color_hex || null}
        className="aspect-square w-full"
      />
      <div className="mt-4 flex items-end gap-2.5">
        <span className="text-[1.75rem] leading-8 font-semibold tracking-[-0.02em]">
          {formatCount(stock.quantity)}
        </span>
        <span className="text-caption text-ink-2">
          {t('in stock')}
          {reserved > 0 ? (
            <span className="block">
              {rich('{reserved} reserved', {
                reserved: <strong className="font-semibold text-ink">{formatCount(reserved)}</strong>,
              })}
            </span>
          ) : null}
        </span>
        <span className="ms-auto">
          <StatusBadge status={status} />
        </span>
      </div>
      <StockGauge stock={{ ...stock, status }} className="mt-1.5" />
      <p className="flex justify-between text-caption text-ink-2">
        <span>{t('reorder {reorder_point}', { reorder_point: formatCount(stock.reorder_point) })}</span>
        <span>{t('max {max_stock}', { max_stock: formatCount(stock.max_stock) })}</span>
      </p>
    </>
  )
}
