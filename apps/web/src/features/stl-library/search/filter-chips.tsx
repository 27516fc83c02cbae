import { FilterChip } from '@/components/filter-chip.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { filterLabels } from './filter-labels.ts'
import { type LibraryFilters, NO_FILTERS } from '../library-address.ts'
import { t } from '@/lib/i18n/messages.ts'

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
      <ul aria-label={t('Filters')} className="contents">
        {words.map(({ name, clearLabel, without }) => (
          <li key={name} className="flex max-w-full min-w-0">
            <FilterChip name={name} clearLabel={clearLabel} onClear={() => onApply(without)} />
          </li>
        ))}
      </ul>
      {words.length > 1 ? (
        <Button size="sm" variant="ghost" onClick={() => onApply(NO_FILTERS)}>
          {t('Clear all')}
        </Button>
      ) : null}
    </div>
  )
}
