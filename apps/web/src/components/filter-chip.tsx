import { X } from 'lucide-react'
import { cx } from '@/lib/class-names.ts'

interface FilterChipProps {
  /** The filter's name inside a sentence: `“hook”`. */
  name: string
  /** Label of the action, such as `Clear search`. */
  clearLabel: string
  /** True if the chip stands out, because nothing else on the page shows the filter. */
  isStrong?: boolean
  onClear: () => void
}

/** An applied filter, as a button that removes it. */
export const FilterChip = ({ name, clearLabel, isStrong = false, onClear }: FilterChipProps) => (
  <button
    type="button"
    onClick={onClear}
    aria-label={`${clearLabel}: ${name}`}
    title={clearLabel}
    className={cx(
      'inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border pe-2 ps-3 text-label font-medium transition-colors phone:h-11 touch:h-11',
      isStrong
        ? 'border-accent-line bg-accent-soft text-accent-ink hover:border-accent'
        : 'border-line-2 bg-surface text-ink-2 hover:bg-hover hover:text-ink',
    )}
  >
    <bdi className="truncate">{name}</bdi>
    <X size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
  </button>
)
