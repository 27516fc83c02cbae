import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'

interface ColumnHeadProps {
  isNumber: boolean
  /** The direction in which the rows are sorted by this column; null if they are not sorted by it. */
  direction: 'ascending' | 'descending' | null
  onSort: () => void
  children: ReactNode
}

/**
 * The head of a column that sorts the rows. Each click switches to the next state: ascending, descending, the
 * list's own order.
 */
export function ColumnHead({ isNumber, direction, onSort, children }: ColumnHeadProps) {
  const Icon = direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ChevronsUpDown
  return (
    <button
      type="button"
      onClick={onSort}
      className={cx(
        'group/head -mx-1 inline-flex h-7 max-w-[calc(100%+8px)] items-center gap-1 rounded-control px-1 font-medium hover:bg-hover hover:text-ink touch:h-11',
        direction !== null && 'text-ink',
        isNumber && 'flex-row-reverse',
      )}
    >
      <span className="truncate">{children}</span>
      <Icon
        size={12}
        strokeWidth={2}
        aria-hidden
        className={cx(
          'shrink-0',
          direction === null && 'opacity-0 group-hover/head:opacity-100 group-focus-visible/head:opacity-100',
        )}
      />
    </button>
  )
}
