import { type InventoryItem, MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory/items'
import { REASON_MAX_LENGTH, type StockReservation } from '@pegasus/contracts/inventory/stock-movements'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { formatCount } from '@/lib/format/format.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useRetryKey } from '@/lib/http/use-retry-key.ts'
import { reservationsQuery } from '../inventory.queries.ts'
import { BinInput, LocationInput } from '../locations/location-inputs.tsx'
import { Offered } from '../items/field-suggestions.tsx'
import { HolderSelect } from './holder-select.tsx'
import type { StockMutation } from './stock-mutations.ts'
import { useTellMoved } from './use-stock-movements.ts'

interface StockDialogProps {
  item: InventoryItem
  deed: StockMutation
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
      hasChanges={dialog.hasChanges}
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
        {dialog.reservations.isError ? (
          <ErrorState
            message="Who holds what is reserved could not be loaded."
            detail={errorMessage(dialog.reservations.error, 'Please try again.')}
            onRetry={dialog.reservations.refetch}
            isRetrying={dialog.reservations.isFetching}
          />
        ) : null}
        {dialog.holders.length > 0 ? (
          <HolderSelect
            label={deed.ofReserved === 'is' ? 'Release' : 'From'}
            holders={dialog.holders}
            free={deed.ofReserved === 'is' ? null : item.available_quantity}
            chosen={dialog.holder}
            onChange={(holder) => change({ holder, pieces: null })}
          />
        ) : null}
        {deed.pieces ? (
          <Field
            label={deed.pieces}
            isRequired
            error={dialog.error}
            hint={after === null || after < 0 ? undefined : `${formatCount(after)} in stock then`}
          >
            <Input
              value={dialog.typed}
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

interface TypedForm {
  /** As it begins, until something is typed. */
  pieces: string | null
  reason: string
  location: string
  bin: string
  /** As it begins, until one is chosen. */
  holder: StockReservation | null | undefined
}

const formOf = (item: InventoryItem): TypedForm => ({
  pieces: null,
  reason: '',
  location: item.location ?? '',
  bin: item.bin_location ?? '',
  holder: undefined,
})

const NOBODY: readonly StockReservation[] = []

function useStockDialog({ item, deed, onClose }: StockDialogProps) {
  const [start] = useState(() => formOf(item))
  const [form, setForm] = useState(start)
  const isOfReserved = deed.ofReserved !== undefined && item.reserved_quantity > 0
  const reservations = useQuery({ ...reservationsQuery(item.id), enabled: isOfReserved })
  const holders = (isOfReserved && reservations.data) || NOBODY
  const holder = form.holder ?? (deed.ofReserved === 'is' ? (holders[0] ?? null) : null)
  const [error, setError] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const retryKey = useRetryKey()
  const tellMoved = useTellMoved()
  const typed = form.pieces ?? String(deed.start(item, holder) ?? '')
  const pieces = typedNumber(typed) ?? 0
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
      const told = { ...form, holder, pieces, reason: form.reason.trim() || null }
      const moved = await deed.send(item, told, retryKey([deed.verb, told]))
      tellMoved(moved)
      onClose()
    } catch (refusal) {
      const [field] = refusal instanceof ApiError ? refusal.errors : []
      setFailure(field?.message ?? errorMessage(refusal, 'That did not work. Please try again.'))
      setIsPending(false)
    }
  }
  const hasChanges = (Object.keys(start) as (keyof TypedForm)[]).some((field) => form[field] !== start[field])
  return {
    form,
    change,
    typed,
    pieces,
    isWhole,
    reservations,
    holders,
    holder,
    hasChanges,
    error,
    failure,
    isPending,
    submit,
  }
}
