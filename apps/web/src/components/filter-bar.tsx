import { Search, SlidersHorizontal } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { formatCount, formatTotal } from '@/lib/format/format.ts'
import { Button } from './ui/actions/button.tsx'
import { Input } from './ui/forms/input.tsx'
import { Dialog } from './ui/overlays/dialog.tsx'
import { cx } from '@/lib/class-names.ts'
import { t } from '@/lib/i18n/messages.ts'
import { type Noun, NOUNS } from '@/lib/i18n/nouns.ts'

interface FilterBarProps {
  /**
   * Identifies the applied filters. The fields are reset when Back, a link or Clear changes it, but not when
   * this bar applies filters.
   */
  appliedKey: string
  /**
   * Called on Apply Filters or Enter. `fields` returns the trimmed value of a field, or null if this form does not have
   * the field.
   */
  onApply: (fields: (name: string) => string | null) => void
  /** Number of matches; null while unknown. */
  count: { total: number; isTotalCapped: boolean } | null
  /** Noun for the entries of the list, which the count uses: `3 orders`. */
  one: Noun
  /** Shown after the number of matches. */
  note?: ReactNode
  /** Buttons at the right end of the bar. */
  actions?: ReactNode
  /**
   * The search field, if only this field is shown on a phone. The other fields are then behind a button, so that the
   * list begins near the top of the screen.
   */
  search?: ReactNode
  /** Number of applied filters. On a phone, the button for the other fields shows it. */
  applied?: number
  /** Clears the fields of the filter sheet on a phone. */
  onClear?: () => void
  /** Shown below the fields of the filter sheet on a phone, such as saved searches. */
  sheetExtra?: ReactNode
  /** All fields of the filter bar. With `search`, all fields except the search field. Null if there are none. */
  children: ReactNode
}

/** The filters of a list. Applied filters are in the URL. Typed values wait until they are applied. */
export function FilterBar(props: FilterBarProps) {
  const { appliedKey, count, one, note, actions, search, children } = props
  const isPhone = useIsPhone()
  const isFolded = isPhone && search !== undefined
  const countText = count
    ? count.isTotalCapped
      ? `${formatTotal(count)} ${NOUNS[one].many}`
      : NOUNS[one].count(count.total)
    : ''
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2 phone:mb-1.5 phone:gap-y-1">
      <form
        key={appliedKey}
        role="search"
        onSubmit={(event) => handleSubmit(event, props.onApply)}
        // `contents` lets the count and the actions share the second line if the fields take two lines.
        className="contents"
      >
        {isFolded ? <div className="min-w-36 flex-1">{search}</div> : search}
        {isFolded ? null : (
          <>
            {children}
            <Button type="submit">{t('Apply Filters')}</Button>
          </>
        )}
      </form>
      {isFolded && children !== null ? <FilterSheet {...props} counted={countText} /> : null}
      <p
        role="status"
        // On a phone, wide content gets its own line.
        className={
          isFolded
            ? 'order-1 w-full text-caption text-ink-3'
            : 'ms-2 min-h-5 text-ink-3 phone:ms-1 phone:max-w-full phone:shrink-0 phone:grow'
        }
      >
        <span>{countText}</span>
        {count && note ? note : null}
      </p>
      {actions ? (
        <div className="ms-auto flex flex-wrap items-center justify-end gap-2 phone:max-w-full">
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

/** The button that opens the fields on a phone. It shows how many of them are applied. */
function FilterSheet(props: FilterBarProps & { counted: string }) {
  const { appliedKey, applied = 0, counted, onApply, onClear, sheetExtra, children } = props
  // The sheet closes when the URL changes, because the person has then made a choice, such as a sort order.
  const { search: address } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const close = () => setOpenAt(null)
  return (
    <>
      <Button
        aria-label={
          applied > 0 ? t('Filters, {applied} applied', { applied: formatCount(applied) }) : t('Filters')
        }
        aria-haspopup="dialog"
        className="min-w-11 px-2.5!"
        icon={<SlidersHorizontal size={18} strokeWidth={1.6} aria-hidden />}
        onClick={() => setOpenAt(address)}
      >
        {applied > 0 ? <span className="tabular-nums">{formatCount(applied)}</span> : null}
      </Button>
      <Dialog
        isOpen={openAt === address}
        onClose={close}
        title={t('Filters')}
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
                {t('Clear filters')}
              </Button>
            ) : null}
            <Button type="submit" form={FORM_ID} variant="primary">
              {t('Apply Filters')}
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

/** A label with more letters than this is cut off in a field of the usual width. */
const LONG_LABEL = 27

interface SearchFieldProps {
  /** Says what the field searches. It is also the placeholder, except on a phone. */
  label: string
  value: string
}

export function SearchField({ label, value }: SearchFieldProps) {
  const isPhone = useIsPhone()
  return (
    <Input
      type="search"
      name="search"
      aria-label={label}
      // On a phone, the buttons beside the field leave no room for the whole label.
      placeholder={isPhone ? t('Search') : label}
      defaultValue={value}
      maxLength={200}
      enterKeyHint="search"
      icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
      className={cx('2xl:w-80 phone:w-full', label.length > LONG_LABEL ? 'w-72' : 'w-64')}
    />
  )
}
