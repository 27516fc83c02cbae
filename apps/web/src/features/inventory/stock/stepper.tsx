import { type InventoryItem, MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory/items'
import { Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { cx } from '@/lib/class-names.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { formatCount } from '@/lib/format/format.ts'
import { useShownItem, useStock } from './stock-context.tsx'
import { t } from '@/lib/i18n/messages.ts'

const HOLD_MS = 450
const REPEAT_MS = 90

const BUTTON =
  'grid shrink-0 place-items-center text-ink-2 transition-colors enabled:hover:bg-hover enabled:hover:text-ink disabled:opacity-40 focus-visible:-outline-offset-2'

interface StepperProps {
  item: InventoryItem
  /** True for a vertical stepper with + on top, at the edge of a phone's screen. */
  isUpright?: boolean
}

/** Changes stock in place. Holding − or + repeats the step, and a typed number is recorded as a count. */
export function Stepper({ item, isUpright = false }: StepperProps) {
  const { changes, count } = useStock()
  const shownItem = useShownItem(item)
  const step = (delta: number) => {
    const { quantity } = shownItem
    const within = Math.max(0, Math.min(MAX_ITEM_QUANTITY, quantity + delta)) - quantity
    if (within !== 0) changes.changeBy(item, within)
  }
  const minus = (
    <StepButton
      label={t('Take one of {name}', { name: item.name })}
      isDisabled={shownItem.quantity <= 0}
      onStep={() => step(-1)}
      className={isUpright ? 'h-11 w-full' : 'h-full w-[30px] phone:w-11 touch:w-11'}
    >
      <Minus size={14} strokeWidth={1.75} aria-hidden />
    </StepButton>
  )
  const plus = (
    <StepButton
      label={t('Add one of {name}', { name: item.name })}
      isDisabled={shownItem.quantity >= MAX_ITEM_QUANTITY}
      onStep={() => step(1)}
      className={isUpright ? 'h-11 w-full' : 'h-full w-[30px] phone:w-11 touch:w-11'}
    >
      <Plus size={14} strokeWidth={1.75} aria-hidden />
    </StepButton>
  )
  const quantity = (
    <QuantityField
      item={shownItem}
      onStep={step}
      onCount={(counted) => {
        changes.flush()
        void count(item, counted)
      }}
      className={isUpright ? 'h-8 w-full border-y border-line' : 'h-full min-w-0 flex-1 border-x border-line'}
    />
  )
  return (
    <div
      role="group"
      aria-label={t('Stock of {name}', { name: item.name })}
      className={cx(
        'relative flex overflow-hidden rounded-control border border-line-2 bg-surface',
        isUpright ? 'w-[52px] shrink-0 flex-col' : 'h-8 w-full max-w-[132px] phone:h-11 touch:h-11',
      )}
    >
      {isUpright ? plus : minus}
      {quantity}
      {isUpright ? minus : plus}
    </div>
  )
}

interface StepButtonProps {
  label: string
  isDisabled: boolean
  onStep: () => void
  className: string
  children: ReactNode
}

function StepButton({ label, isDisabled, onStep, className, children }: StepButtonProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // While the button is held, each repetition calls the current callback instead of the callback of the first press.
  const step = useRef(onStep)
  useEffect(() => {
    step.current = onStep
  })
  const stop = () => clearTimeout(timer.current)
  useEffect(() => stop, [])
  const hold = () => {
    stop()
    const repeat = () => {
      step.current()
      timer.current = setTimeout(repeat, REPEAT_MS)
    }
    timer.current = setTimeout(repeat, HOLD_MS)
  }
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={isDisabled}
      onClick={onStep}
      onPointerDown={(event) => event.button === 0 && hold()}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      // A long press repeats the step and must not open the phone's context menu.
      onContextMenu={(event) => event.preventDefault()}
      className={cx(BUTTON, className)}
    >
      {children}
    </button>
  )
}

interface QuantityFieldProps {
  item: InventoryItem
  onStep: (delta: number) => void
  onCount: (quantity: number) => void
  className: string
}

/**
 * Returns the count that a person has typed, or null if the text is ambiguous. `12,00` can be the rest of a `12,000`
 * that is being edited, and `+5` can mean five more.
 */
function readCount(text: string): number | null {
  const typed = text.replaceAll(/\s/g, '')
  const isPlain = /^\d+$/.test(typed)
  const counted = isPlain ? Number(typed) : typedNumber(typed)
  if (counted === null || !Number.isInteger(counted) || counted < 0 || counted > MAX_ITEM_QUANTITY)
    return null
  return isPlain || typed === formatCount(counted).replaceAll(/\s/g, '') ? counted : null
}

/**
 * The quantity as a text field. A typed number is recorded as a count. An ambiguous text stays in the field with a
 * message, so that nobody believes that it was counted.
 */
function QuantityField({ item, onStep, onCount, className }: QuantityFieldProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const commit = () => {
    if (draft === null || draft === refused) return
    const counted = readCount(draft)
    const isRefused = counted === null && draft.trim() !== ''
    if (isRefused) {
      const max = formatCount(MAX_ITEM_QUANTITY)
      toast({
        title: t('“{typed}” was not counted. Enter the number of pieces in digits, from 0 to {max}.', {
          typed: draft.trim(),
          max,
        }),
      })
    }
    setRefused(isRefused ? draft : null)
    if (isRefused) return
    setDraft(null)
    if (counted !== null && counted !== item.quantity) onCount(counted)
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') commit()
    else if (event.key === 'Escape' && draft !== null) {
      event.stopPropagation()
      setDraft(null)
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      setDraft(null)
      onStep(event.key === 'ArrowUp' ? 1 : -1)
    }
  }
  return (
    <input
      aria-label={t('Quantity of {name}', { name: item.name })}
      aria-invalid={(draft !== null && draft === refused) || undefined}
      inputMode="numeric"
      autoComplete="off"
      value={draft ?? formatCount(item.quantity)}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={handleKey}
      className={cx(
        'bg-transparent text-center text-[0.875rem]! font-semibold text-ink outline-none focus-visible:bg-accent-soft focus-visible:outline-2 focus-visible:-outline-offset-2 aria-invalid:text-red-ink',
        className,
      )}
    />
  )
}
