import { Search } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { formatNumberOf, formatTotal } from '@/lib/format/format.ts'
import { Button } from './ui/actions/button.tsx'
import { Input } from './ui/forms/input.tsx'

interface FilterBarProps {
  /** The applied filters as a text: the fields reset when it changes from outside (back, a link, Clear). */
  appliedKey: string
  /** Trimmed values of the fields, reported on Apply Filters or Enter. */
  onApply: (fields: (name: string) => string) => void
  /** Number of matches; null while unknown. */
  count: { total: number; isTotalCapped: boolean } | null
  /** `item`: the counted thing. */
  one: string
  many?: string
  /** Text after the count. */
  note?: ReactNode
  /** At the right end. */
  actions?: ReactNode
  children: ReactNode
}

/** Filters of a list: applied filters are in the address; typed values wait to be applied. */
export function FilterBar({
  appliedKey,
  onApply,
  count,
  one,
  many = `${one}s`,
  note,
  actions,
  children,
}: FilterBarProps) {
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onApply((name) => {
      const value = form.get(name)
      return typeof value === 'string' ? value.trim() : ''
    })
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2 phone:mb-3">
      <form
        key={appliedKey}
        role="search"
        onSubmit={handleSubmit}
        // `contents`, so that count and actions share the second line if the fields take two.
        className="contents"
      >
        {children}
        <Button type="submit">Apply Filters</Button>
      </form>
      <p
        role="status"
        // On a phone, wide content takes a line of its own.
        className="ml-2 min-h-5 text-ink-3 phone:ml-1 phone:max-w-full phone:shrink-0 phone:grow"
      >
        {count
          ? count.isTotalCapped
            ? `${formatTotal(count)} ${many}`
            : formatNumberOf(count.total, one, many)
          : ''}
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
    icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
    className="w-80 phone:w-full"
  />
)
