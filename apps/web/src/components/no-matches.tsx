import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './ui/actions/button.tsx'
import { Card } from './ui/display/card.tsx'
import { EmptyState } from './ui/feedback/empty-state.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'

export interface AppliedFilter {
  /** The filter's name inside a sentence: `“hook”`, `Low Stock Only`. */
  name: string
  /** Text of the button that removes it: `Clear search`. */
  clearLabel: string
  onClear: () => void
}

interface NoMatchesProps {
  title: string
  filters: readonly AppliedFilter[]
  onClearAll: () => void
}

/** The empty state of a filtered list. It names the filters and offers to remove one or all of them. */
export function NoMatches({ title, filters, onClearAll }: NoMatchesProps) {
  return (
    <Card className="p-4">
      <EmptyState
        icon={<Search size={20} strokeWidth={1.75} aria-hidden />}
        titleLevel={2}
        title={title}
        actions={
          <>
            {filters.map(({ name, clearLabel, onClear }) => (
              <Button key={name} onClick={onClear}>
                {clearLabel}
              </Button>
            ))}
            {filters.length > 1 ? (
              <Button variant="ghost" onClick={onClearAll}>
                {t('Clear all')}
              </Button>
            ) : null}
          </>
        }
      >
        {rich('Nothing matches {filters}.', {
          filters: filters.reduce<ReactNode>((others, { name }) => {
            const filter = (
              <strong className="font-semibold text-ink">
                <bdi>{name}</bdi>
              </strong>
            )
            return others === null ? filter : rich('{others} with {filter}', { others, filter })
          }, null),
        })}
      </EmptyState>
    </Card>
  )
}
