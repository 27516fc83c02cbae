import { type InventoryItem, MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory/items'
import { REASON_MAX_LENGTH, type StockReservation } from '@pegasus/contracts/inventory/stock-movements'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { formatCount } from '@/lib/format/format.ts'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { reservationsQuery } from '../inventory.queries.ts'
import { BinInput, LocationInput } from '../locations/location-inputs.tsx'
import { FieldSuggestions } from '../../../components/fields/field-suggestions.tsx'
import type { StockAction, StockForm } from './stock-actions.ts'
import { useAnnounceMovement } from './use-stock-movements.ts'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'

interface StockDialogProps {
  item: InventoryItem
  action: StockAction
  onClose: () => void
}

/**
 * Changes stock with a reason. If the server refuses the change, the dialog stays open with the server's
 * message.
 */
export function StockDialog({ item, action, onClose }: StockDialogProps) {
  const dialog = useStockDialog({ item, action, onClose })
  const { form, change, bind, pieces, isWhole } = dialog
  const after = isWhole ? action.after(item, pieces) : null
  return (
    <FormDialog state={dialog} submitLabel={action.verb} onClose={onClose} title={action.title} size="sm">
      <div className="flex flex-col gap-4">
        <ItemLine item={item} />
        {dialog.reservations.isError ? (
          <ErrorState
            message={t('The reservations could not be loaded.')}
            detail={errorMessage(dialog.reservations.error, t('Please try again.'))}
            onRetry={dialog.reservations.refetch}
            isRetrying={dialog.reservations.isFetching}
          />
        ) : null}
        {dialog.holders.length > 0 ? (
          <HolderSelect
            label={action.reserved === 'required' ? t('Release') : t('From')}
            holders={dialog.holders}
            free={action.reserved === 'required' ? null : item.available_quantity}
            chosen={dialog.holder}
            onChange={dialog.chooseHolder}
          />
        ) : null}
        {action.pieces ? (
          <Field
            label={action.pieces}
            isRequired
            error={dialog.errors.pieces}
            hint={
              after === null || after < 0
                ? undefined
                : t('{after} in stock afterwards', { after: formatCount(after) })
            }
          >
            <Input
              value={dialog.typed}
              inputMode="numeric"
              autoComplete="off"
              autoFocus
              unit={t('pcs')}
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => dialog.typePieces(event.target.value)}
            />
          </Field>
        ) : null}
        {action.hasLocation ? (
          <div className="grid grid-cols-2 gap-4">
            <Field label={t('Location')}>
              <LocationInput value={form.location} onChange={(location) => change({ location })} />
            </Field>
            <Field label={t('Bin location')}>
              <BinInput location={form.location} value={form.bin} onChange={(bin) => change({ bin })} />
            </Field>
          </div>
        ) : null}
        <Field label={t('Reason')}>
          <FieldSuggestions options={action.reasons}>
            {(list) => (
              <Input {...bind('reason')} list={list} maxLength={REASON_MAX_LENGTH} autoComplete="off" />
            )}
          </FieldSuggestions>
        </Field>
      </div>
    </FormDialog>
  )
}

const ItemLine = ({ item }: { item: InventoryItem }) => (
  <div className="flex items-center gap-3">
    <PartPicture src={item.stl_thumbnail_path} tint={item.color_hex} className="size-14" />
    <div className="min-w-0">
      <bdi className="line-clamp-2 font-medium">{item.name}</bdi>
      <p className="text-label text-ink-2">
        {item.reserved_quantity > 0
          ? rich('{quantity} in stock, {available_quantity} free', {
              quantity: <strong className="font-semibold text-ink">{formatCount(item.quantity)}</strong>,
              available_quantity: (
                <strong className="font-semibold text-ink">{formatCount(item.available_quantity)}</strong>
              ),
            })
          : rich('{quantity} in stock', {
              quantity: <strong className="font-semibold text-ink">{formatCount(item.quantity)}</strong>,
            })}
      </p>
    </div>
  </div>
)

type TextField = 'reason' | 'location' | 'bin'

const NO_HOLDERS: readonly StockReservation[] = []

const describeError = (error: unknown): string =>
  (error instanceof ApiError && error.errors[0]?.message) ||
  errorMessage(error, t('That did not work. Please try again.'))

function useStockDialog({ item, action, onClose }: StockDialogProps) {
  const usesReserved = action.reserved !== undefined && item.reserved_quantity > 0
  const reservations = useQuery({ ...reservationsQuery(item.id), enabled: usesReserved })
  const holders = (usesReserved && reservations.data) || NO_HOLDERS
  // Undefined and null mean that the person has not made a choice. The defaults depend on the reservations,
  // which load later.
  const [chosenHolder, setChosenHolder] = useState<StockReservation | null>()
  const [typedPieces, setTypedPieces] = useState<string | null>(null)
  const holder = chosenHolder ?? (action.reserved === 'required' ? (holders[0] ?? null) : null)
  const typed = typedPieces ?? String(action.start(item, holder) ?? '')
  const pieces = typedNumber(typed) ?? 0
  const isWhole = Number.isInteger(pieces) && pieces >= action.min && pieces <= MAX_ITEM_QUANTITY
  const announce = useAnnounceMovement()
  const state = useNewForm({
    start: { reason: '', location: item.location ?? '', bin: item.bin_location ?? '' },
    read: (form: FormText<TextField>): ReadResult<StockForm, TextField | 'pieces'> =>
      action.pieces && !isWhole
        ? { body: null, errors: { pieces: t('Enter a whole number, {min} or more.', { min: action.min }) } }
        : { body: { ...form, holder, pieces, reason: form.reason.trim() || null }, errors: null },
    create: async (body, headers) => {
      announce(await action.send(item, body, headers))
      onClose()
    },
    describeError,
  })
  return {
    ...state,
    typed,
    pieces,
    isWhole,
    reservations,
    holders,
    holder,
    hasChanges: state.hasChanges || typedPieces !== null || chosenHolder !== undefined,
    typePieces: (text: string) => {
      setTypedPieces(text)
      state.clearError('pieces')
    },
    chooseHolder: (next: StockReservation | null) => {
      setChosenHolder(next)
      setTypedPieces(null)
      state.clearError('pieces')
    },
  }
}

interface HolderSelectProps {
  /** Label that asks whose pieces are taken, or whose reservation is released. */
  label: string
  holders: readonly StockReservation[]
  /** The number of free pieces; null if free pieces cannot be chosen. */
  free: number | null
  chosen: StockReservation | null
  onChange: (holder: StockReservation | null) => void
}

const FREE = 'free'

const keyOf = ({ order_id: orderId }: StockReservation): string => orderId ?? t('nobody')

const nameOf = ({ order_id: orderId, order_number: number, ...holder }: StockReservation): string => {
  if (orderId === null)
    return t('Reserved without an order ({quantity})', { quantity: formatCount(holder.quantity) })
  const ended = holder.order_status === 'cancelled' || holder.order_status === 'completed'
  const details = [number, holder.customer_name, ended ? holder.order_status : null].filter(Boolean)
  return t('Reserved for {details} ({quantity})', {
    details: details.join(', '),
    quantity: formatCount(holder.quantity),
  })
}

/** Selects free pieces, or the pieces that are reserved for one order or without an order. */
const HolderSelect = ({ label, holders, free, chosen, onChange }: HolderSelectProps) => (
  <Field label={label}>
    <Select
      value={chosen ? keyOf(chosen) : FREE}
      onChange={({ target: { value } }) =>
        onChange(holders.find((holder) => keyOf(holder) === value) ?? null)
      }
    >
      {free === null ? null : (
        <option value={FREE}>{t('Free pieces ({free})', { free: formatCount(free) })}</option>
      )}
      <Options of={holders.map((holder) => ({ value: keyOf(holder), label: nameOf(holder) }))} />
    </Select>
  </Field>
)
