import { Search, SlidersHorizontal } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { formatCount, formatNumberOf, formatTotal } from '@/lib/format/format.ts'
import { Button } from './ui/actions/button.tsx'
import { Input } from './ui/forms/input.tsx'
import { Dialog } from './ui/overlays/dialog.tsx'

interface FilterBarProps {
  /** The applied filters as a text: the fields reset when it changes from outside (back, a link, Clear). */
  appliedKey: string
  /** Trimmed values of the fields, reported on Apply Filters or Enter. Null for a field that this form does not have. */
  onApply: (fields: (name: string) => string | null) => void
  /** Number of matches; null while unknown. */
  count: { total: number; isTotalCapped: boolean } | null
  /** `item`: the counted thing. */
  one: string
  many?: string
  /** Text after the count. */
  note?: ReactNode
  /** At the right end. */
  actions?: ReactNode
  /**
   * The search field, if a phone shows it alone: the other fields are then behind a button, so that the list begins at the
   * top of the screen.
   */
  search?: ReactNode
  /** How many of the other fields are applied, for that button. */
  applied?: number
  /** Resets the other fields, for that button's sheet. */
  onClear?: () => void
  /** Below the fields of that sheet, such as saved searches. */
  sheetExtra?: ReactNode
  /** The fields, or the other fields. Null if there are none. */
  children: ReactNode
}

/** Filters of a list: applied filters are in the address; typed values wait to be applied. */
export function FilterBar(props: FilterBarProps) {
  const { appliedKey, count, one, many = `${one}s`, note, actions, search, children } = props
  const isPhone = useIsPhone()
  const isFolded = isPhone && search !== undefined
  const counted = count
    ? count.isTotalCapped
      ? `${formatTotal(count)} ${many}`
      : formatNumberOf(count.total, one, many)
    : ''
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2 phone:mb-2">
      <form
        key={appliedKey}
        role="search"
        onSubmit={(event) => handleSubmit(event, props.onApply)}
        // `contents`, so that count and actions share the second line if the fields take two.
        className="contents"
      >
        {isFolded ? <div className="min-w-36 flex-1">{search}</div> : search}
        {isFolded ? null : (
          <>
            {children}
            <Button type="submit">Apply Filters</Button>
          </>
        )}
      </form>
      {isFolded && children !== null ? <FilterSheet {...props} counted={counted} /> : null}
      <p
        role="status"
        // On a phone, wide content takes a line of its own.
        className={
          isFolded
            ? 'order-1 w-full text-caption text-ink-3'
            : 'ml-2 min-h-5 text-ink-3 phone:ml-1 phone:max-w-full phone:shrink-0 phone:grow'
        }
      >
        <span>{counted}</span>
        {count && note ? note : null}
      </p>
      {actions ? (
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2 phone:max-w-full">
          {actions}
        </div>
      ) : null}
    </div>
  )
}

function handleSubmit(event: FormEvent<HTMLFormElement>, onApply: FilterBarProps['onApply']): void {
  event.preventDefault()
  const { currentTarget } = event
  const form = new FormData(currentTarget)
  onApply((name) => {
    if (currentTarget.elements.namedItem(name) === null) return null
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  })
}

const FORM_ID = 'filter-sheet'

/** The button of a phone that opens the fields, with how many of them are applied. */
function FilterSheet(props: FilterBarProps & { counted: string }) {
  const { appliedKey, applied = 0, counted, onApply, onClear, sheetExtra, children } = props
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button
        aria-label={applied > 0 ? `Filters, ${formatCount(applied)} applied` : 'Filters'}
        aria-haspopup="dialog"
        className="min-w-11 px-2.5!"
        icon={<SlidersHorizontal size={18} strokeWidth={1.6} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {applied > 0 ? <span className="tabular-nums">{formatCount(applied)}</span> : null}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title="Filters"
        description={counted || undefined}
        footer={
          <>
            {applied > 0 && onClear ? (
              <Button
                variant="ghost"
                onClick={() => {
                  onClear()
                  close()
                }}
              >
                Clear filters
              </Button>
            ) : null}
            <Button type="submit" form={FORM_ID} variant="primary">
              Apply Filters
            </Button>
          </>
        }
      >
        <form
          key={appliedKey}
          id={FORM_ID}
          onSubmit={(event) => {
            handleSubmit(event, onApply)
            close()
          }}
          className="flex flex-wrap items-center gap-3"
        >
          {children}
        </form>
        {sheetExtra ? <div className="mt-4 flex flex-wrap gap-2">{sheetExtra}</div> : null}
      </Dialog>
    </>
  )
}

interface SearchFieldProps {
  /** Placeholder that says what is searched. */
  label: string
  value: string
}

export const SearchField = ({ label, value }: SearchFieldProps) => (
  <Input
    type="search"
    name="search"
    aria-label={label}
    placeholder={label}
    defaultValue={value}
    maxLength={200}
    enterKeyHint="search"
    icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
    className="w-80 phone:w-full"
  />
)
