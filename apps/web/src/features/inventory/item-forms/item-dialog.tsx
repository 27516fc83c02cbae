import { MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory/items'
import { HELD_ITEM_STATUSES, itemStatus } from '@pegasus/contracts/statuses'
import type { ReactNode } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { StockGauge } from '@/components/ui/charts/stock-gauge.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import type { ItemForm } from './item-form.ts'
import type { PickedModel } from './model-picker.tsx'
import { SAVE_FAILED } from './save-error.ts'

interface ItemDialogProps {
  onClose: () => void
  /** Below the title, which is the same for new items and old ones. */
  description: ReactNode
  form: ItemForm
  model: PickedModel | null
  reserved: number
  /** Below the picture. */
  aside?: ReactNode
  /** Why it could not be saved, in the server's words; null while nothing failed. */
  failure: string | null
  /** Whether a field says it already. */
  hasFieldError: boolean
  submitLabel: string
  isPending: boolean
  /** Whether anything was typed that is not saved. */
  hasChanges: boolean
  onSubmit: () => void
  children: ReactNode
}

/** The form of an item with what it is about beside it. What fails keeps it open, with everything typed. */
export const ItemDialog = (props: ItemDialogProps) => (
  <Dialog
    isOpen
    onClose={props.onClose}
    title="Add/Edit Inventory Item"
    description={props.description}
    size="lg"
    isFlush
    error={props.failure === null ? null : SAVE_FAILED}
    hasChanges={props.hasChanges}
    onSubmit={props.onSubmit}
    footer={
      <>
        <Button onClick={props.onClose}>Cancel</Button>
        <Button type="submit" variant="primary" isPending={props.isPending}>
          {props.submitLabel}
        </Button>
      </>
    }
  >
    <div className="flex min-h-full border-t border-line phone:block">
      <aside className="w-64 shrink-0 border-r border-line bg-sunken p-5 phone:hidden">
        <Preview {...props} />
        {props.aside}
      </aside>
      <div className="min-w-0 flex-1 p-5 phone:p-4">
        {props.failure !== null && !props.hasFieldError && props.failure !== SAVE_FAILED ? (
          <AlertBox tone="note" className="mb-4">
            {props.failure}
          </AlertBox>
        ) : null}
        {props.children}
      </div>
    </div>
  </Dialog>
)

const piecesOf = (text: string): number => {
  const pieces = typedNumber(text) ?? 0
  return Number.isFinite(pieces) ? Math.min(MAX_ITEM_QUANTITY, Math.max(0, Math.trunc(pieces))) : 0
}

/** The item as the fields say it. */
function Preview({ form, model, reserved }: Pick<ItemDialogProps, 'form' | 'model' | 'reserved'>) {
  const quantity = piecesOf(form.quantity)
  const reorderPoint = piecesOf(form.reorder_point)
  const maxStock = piecesOf(form.max_stock)
  const status = itemStatus({
    quantity,
    reorder_point: reorderPoint,
    held: HELD_ITEM_STATUSES.find((held) => held === form.status) ?? null,
  })
  return (
    <>
      <PartPicture
        src={model?.picture ?? null}
        tint={form.color_hex || null}
        className="aspect-square w-full"
      />
      <div className="mt-4 flex items-end gap-2.5">
        <span className="text-[1.75rem] leading-8 font-semibold tracking-[-0.02em]">
          {formatCount(quantity)}
        </span>
        <span className="text-caption text-ink-2">
          in stock
          {reserved > 0 ? (
            <span className="block">
              <strong className="font-semibold text-ink">{formatCount(reserved)}</strong> reserved
            </span>
          ) : null}
        </span>
        <span className="ml-auto">
          <StatusBadge status={status} />
        </span>
      </div>
      <StockGauge
        quantity={quantity}
        reserved={reserved}
        reorderPoint={reorderPoint}
        maxStock={maxStock}
        status={status}
        className="mt-1.5"
      />
      <p className="flex justify-between text-caption text-ink-2">
        <span>reorder {formatCount(reorderPoint)}</span>
        <span>max {formatCount(maxStock)}</span>
      </p>
    </>
  )
}
