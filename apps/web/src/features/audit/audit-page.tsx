import { ScrollText, X } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { knownTotal } from '@/components/card-grid.tsx'
import { FilterBar } from '@/components/filter-bar.tsx'
import { ListError } from '@/components/list-error.tsx'
import { type AppliedFilter, NoMatches } from '@/components/no-matches.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { formatDay } from '@/lib/format/format.ts'
import { useList } from '@/lib/http/use-list.ts'
import { useQuery } from '@tanstack/react-query'
import { auditListQuery, actorsQuery } from './audit.queries.ts'
import {
  type AuditFilters,
  NO_FILTERS,
  readFilters,
  readOpenEntry,
  withFilters,
  withOpenEntry,
} from './audit-address.ts'
import { AuditFields, readFields } from './audit-fields.tsx'
import { actorName, type NamedActor, thingName } from './audit-names.ts'
import { EntryList, EntryListSkeleton } from './entry-list.tsx'
import { ExportButton } from './export-button.tsx'

/** Who did what, when and from where. Filters and the open entry are in the address. */
export function AuditPage() {
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  const { list, items, count, isLoading, isEmpty, paging } = useList(auditListQuery(filters))
  const { data: people = [] } = useQuery(actorsQuery)
  const apply = (next: AuditFilters) => setParams(withFilters(params, next))
  const actor = { id: filters.actor, name: actorName(filters.actor, { people, items }) }
  const thing = thingName(filters.about, items)
  const applied = appliedFilters(filters, { actor, thing, apply })
  return (
    <>
      <h1 className="sr-only">Audit</h1>
      <FilterBar
        appliedKey={JSON.stringify(filters)}
        onApply={(field) => apply({ ...filters, ...readFields(field) })}
        count={count}
        one="entry"
        many="entries"
        actions={<ExportButton filters={filters} isDisabled={isEmpty} />}
      >
        <AuditFields filters={filters} people={people} actor={actor} />
      </FilterBar>
      {filters.about ? (
        <p className="-mt-1 mb-3">
          <button
            type="button"
            aria-label={`About ${thing}, show everything again`}
            onClick={() => apply({ ...filters, about: '' })}
            className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-full bg-accent-soft pr-2 pl-3 text-label font-medium text-accent-ink phone:min-h-11 touch:min-h-11"
          >
            <span className="truncate">
              About <bdi>{thing}</bdi>
            </span>
            <X size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
          </button>
        </p>
      ) : null}
      <ListError name="The audit" list={list} />
      {isLoading ? <EntryListSkeleton /> : null}
      {isEmpty && applied.length > 0 ? (
        <NoMatches title="No entries found" filters={applied} onClearAll={() => apply(NO_FILTERS)} />
      ) : null}
      {isEmpty && applied.length === 0 ? (
        <Card className="p-4">
          <EmptyState
            icon={<ScrollText size={28} strokeWidth={1.4} aria-hidden />}
            title="No activity yet"
            titleLevel={2}
          >
            Sign-ins, refusals, and changes of people, roles and keys are listed here, each with who did it,
            when and from where.
          </EmptyState>
        </Card>
      ) : null}
      {items.length > 0 ? (
        <EntryList
          {...paging}
          entries={items}
          total={knownTotal(count ?? undefined)}
          openId={readOpenEntry(params)}
          onOpen={(id) => setParams(withOpenEntry(params, id), { replace: true, preventScrollReset: true })}
          onFilter={(change) => apply({ ...NO_FILTERS, ...change })}
        />
      ) : null}
    </>
  )
}

interface FilterNames {
  actor: NamedActor
  thing: string
  apply: (next: AuditFilters) => void
}

function appliedFilters(filters: AuditFilters, { actor, thing, apply }: FilterNames): AppliedFilter[] {
  const { search, group, about, from, to } = filters
  const without = (change: Partial<AuditFilters>) => () => apply({ ...filters, ...change })
  const found: (AppliedFilter | null)[] = [
    search ? { name: `“${search}”`, clearLabel: 'Clear search', onClear: without({ search: '' }) } : null,
    group ? { name: group.label, clearLabel: 'Show every action', onClear: without({ group: null }) } : null,
    actor.id ? { name: actor.name, clearLabel: 'Show everybody', onClear: without({ actor: '' }) } : null,
    about ? { name: thing, clearLabel: 'Show everything', onClear: without({ about: '' }) } : null,
    from
      ? {
          name: `days from ${formatDay(from)}`,
          clearLabel: 'Clear first day',
          onClear: without({ from: '' }),
        }
      : null,
    to
      ? { name: `days to ${formatDay(to)}`, clearLabel: 'Clear last day', onClear: without({ to: '' }) }
      : null,
  ]
  return found.filter((filter) => filter !== null)
}
