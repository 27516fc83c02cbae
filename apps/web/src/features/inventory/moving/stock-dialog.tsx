import { type InventoryItem, MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory'
import { REASON_MAX_LENGTH } from '@pegasus/contracts/stock-movements'
import { useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { Checkbox } from '@/components/ui/checkbox.tsx'
import { Dialog } from '@/components/ui/dialog.tsx'
import { Field } from '@/components/ui/field.tsx'
import { Input } from '@/components/ui/input.tsx'
import { PartPicture } from '@/components/ui/part-picture.tsx'
import { ApiError, errorMessage } from '@/lib/api-error.ts'
import { formatCount } from '@/lib/format.ts'
import { typedNumber } from '@/lib/typed-number.ts'
import { useRetryKey } from '@/lib/use-retry-key.ts'
import { BinInput, LocationInput } from '../places/place-inputs.tsx'
import { Offered } from '../offered.tsx'
import type { StockDeed } from './stock-deeds.ts'
import { useTellMoved } from './use-moving.ts'

interface StockDialogProps {
  item: InventoryItem
  deed: StockDeed
  onClose: () => void
}

/** Changes stock with a reason. What is refused stays as typed, with the server's sentence. */
export function StockDialog({ item, deed, onClose }: StockDialogProps) {
  const dialog = useStockDialog({ item, deed, onClose })
  const { form, change, pieces, isWhole } = dialog
  const after = isWhole ? deed.after(item, pieces) : null
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={deed.title}
      size="sm"
      error={dialog.failure}
      onSubmit={() => void dialog.submit()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={dialog.isPending}>
            {deed.verb}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ItemLine item={item} />
        {deed.pieces ? (
          <Field
            label={deed.pieces}
            isRequired
            error={dialog.error}
            hint={after === null || after < 0 ? undefined : `${formatCount(after)} in stock then`}
          >
            <Input
              value={form.pieces}
              inputMode="numeric"
              autoComplete="off"
              autoFocus
              unit="pcs"
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => change({ pieces: event.target.value })}
            />
          </Field>
        ) : null}
        {deed.hasPlace ? (
          <div className="grid grid-cols-2 gap-4">
            <Field label="Location">
              <LocationInput value={form.location} onChange={(location) => change({ location })} />
            </Field>
            <Field label="Bin location">
              <BinInput location={form.location} value={form.bin} onChange={(bin) => change({ bin })} />
            </Field>
          </div>
        ) : null}
        {deed.canTakeReserved && item.reserved_quantity > 0 ? (
          <Checkbox
            label={`Take from the ${formatCount(item.reserved_quantity)} reserved first`}
            checked={form.isFromReserved}
            onChange={(event) => change({ isFromReserved: event.target.checked })}
          />
        ) : null}
        <Field label="Reason">
          <Offered options={deed.reasons}>
            {(list) => (
              <Input
                value={form.reason}
                list={list}
                maxLength={REASON_MAX_LENGTH}
                autoComplete="off"
                onChange={(event) => change({ reason: event.target.value })}
              />
            )}
          </Offered>
        </Field>
      </div>
    </Dialog>
  )
}

const ItemLine = ({ item }: { item: InventoryItem }) => (
  <div className="flex items-center gap-3">
    <PartPicture src={item.stl_thumbnail_path} tint={item.color_hex} className="size-14" />
    <div className="min-w-0">
      <bdi className="line-clamp-2 text-left font-medium">{item.name}</bdi>
      <p className="text-label text-ink-2">
        <strong className="font-semibold text-ink">{formatCount(item.quantity)}</strong> in stock
        {item.reserved_quantity > 0 ? (
          <>
            , <strong className="font-semibold text-ink">{formatCount(item.available_quantity)}</strong> free
          </>
        ) : null}
      </p>
    </div>
  </div>
)

function useStockDialog({ item, deed, onClose }: StockDialogProps) {
  const [form, setForm] = useState({
    pieces: String(deed.start(item) ?? ''),
    reason: '',
    location: item.location ?? '',
    bin: item.bin_location ?? '',
    isFromReserved: false,
  })
  const [error, setError] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const retryKey = useRetryKey()
  const tellMoved = useTellMoved()
  const pieces = typedNumber(form.pieces) ?? 0
  const isWhole = Number.isInteger(pieces) && pieces >= deed.least && pieces <= MAX_ITEM_QUANTITY
  const change = (part: Partial<typeof form>) => {
    setForm((now) => ({ ...now, ...part }))
    if ('pieces' in part) setError(null)
  }
  const submit = async () => {
    setFailure(null)
    if (deed.pieces && !isWhole) return setError(`Enter a whole number, ${deed.least} or more.`)
    setIsPending(true)
    try {
      const told = { ...form, pieces, reason: form.reason.trim() || null }
      const moved = await deed.send(item, told, retryKey([deed.verb, told]))
      tellMoved(moved)
      onClose()
    } catch (refusal) {
      const [field] = refusal instanceof ApiError ? refusal.errors : []
      setFailure(field?.message ?? errorMessage(refusal, 'That did not work. Please try again.'))
      setIsPending(false)
    }
  }
  return { form, change, pieces, isWhole, error, failure, isPending, submit }
}
