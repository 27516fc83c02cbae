import { X } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { filterLabels } from './filter-labels.ts'
import { type LibraryFilters, NO_FILTERS } from '../library-address.ts'

interface FilterChipsProps {
  filters: LibraryFilters
  onApply: (filters: LibraryFilters) => void
}

/** Shows the applied filters, each with a button to remove it. */
export function FilterChips({ filters, onApply }: FilterChipsProps) {
  const words = filterLabels(filters)
  if (words.length === 0) return null
  return (
    <div className="mb-3 flex flex-wrap items-center gap-1.5">
      <ul aria-label="Filters" className="contents">
        {words.map(({ name, clearLabel, without }) => (
          <li key={name} className="flex max-w-full min-w-0">
            <button
              type="button"
              onClick={() => onApply(without)}
              aria-label={`${clearLabel}: ${name}`}
              title={clearLabel}
              className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border border-line-2 bg-surface pr-2 pl-3 text-label font-medium text-ink-2 transition-colors hover:bg-hover hover:text-ink phone:h-11 touch:h-11"
            >
              <bdi className="truncate">{name}</bdi>
              <X size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {words.length > 1 ? (
        <Button size="sm" variant="ghost" onClick={() => onApply(NO_FILTERS)}>
          Clear all
        </Button>
      ) : null}
    </div>
  )
}
