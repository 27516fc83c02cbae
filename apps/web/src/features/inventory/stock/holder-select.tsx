import type { StockReservation } from '@pegasus/contracts/inventory/stock-movements'
import { Field } from '@/components/ui/forms/field.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { formatCount } from '@/lib/format/format.ts'

interface HolderSelectProps {
  /** The question: from whom pieces are taken, or whose are released. */
  label: string
  holders: readonly StockReservation[]
  /** The number of free pieces; null if free pieces cannot be chosen. */
  free: number | null
  chosen: StockReservation | null
  onChange: (holder: StockReservation | null) => void
}

const FREE = 'free'

const keyOf = ({ order_id: orderId }: StockReservation): string => orderId ?? 'nobody'

const nameOf = ({ order_id: orderId, order_number: number, ...holder }: StockReservation): string => {
  if (orderId === null) return `Reserved without an order (${formatCount(holder.quantity)})`
  const ended = holder.order_status === 'cancelled' || holder.order_status === 'completed'
  const details = [number, holder.customer_name, ended ? holder.order_status : null].filter(Boolean)
  return `Reserved for ${details.join(', ')} (${formatCount(holder.quantity)})`
}

/** Chooses free pieces, or the pieces reserved for one order or without an order. */
export const HolderSelect = ({ label, holders, free, chosen, onChange }: HolderSelectProps) => (
  <Field label={label}>
    <Select
      value={chosen ? keyOf(chosen) : FREE}
      onChange={({ target: { value } }) =>
        onChange(holders.find((holder) => keyOf(holder) === value) ?? null)
      }
    >
      {free === null ? null : <option value={FREE}>{`Free pieces (${formatCount(free)})`}</option>}
      {holders.map((holder) => (
        <option key={keyOf(holder)} value={keyOf(holder)}>
          {nameOf(holder)}
        </option>
      ))}
    </Select>
  </Field>
)
