import { Search } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { formatNumberOf, formatTotal } from '@/lib/format/format.ts'
import { Button } from './ui/actions/button.tsx'
import { Input } from './ui/forms/input.tsx'

interface FilterBarProps {
  /** What is applied, as a text: the fields start afresh when it changes from outside (back, a link, Clear). */
  appliedKey: string
  /** What the fields hold, trimmed; waits for Apply Filters or Enter. */
  onApply: (fields: (name: string) => string) => void
  /** How many match; null while that is not known. */
  count: { total: number; isTotalCapped: boolean } | null
  /** `item`: counted in the bar. */
  one: string
  many?: string
  /** Behind the count. */
  note?: ReactNode
  /** At the right end. */
  actions?: ReactNode
  children: ReactNode
}

/** Filters of a list: what is applied stands in the address, what is typed waits to be applied. */
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
        // Of no box of its own, so that where the fields take two lines, the count and the actions stand beside the second.
        className="contents"
      >
        {children}
        <Button type="submit">Apply Filters</Button>
      </form>
      <p
        role="status"
        // On a phone: what has no room beside the button takes a line of its own, and is not squeezed.
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
  /** What is searched, as the placeholder says it. */
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
