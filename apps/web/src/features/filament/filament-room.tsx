import { SPOOL_STATUSES, STATUS_LOOKS } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { Spool as SpoolIcon } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { CardGrid, knownTotal } from '@/components/card-grid.tsx'
import { FilterBar, SearchField } from '@/components/filter-bar.tsx'
import { ListError } from '@/components/list-error.tsx'
import { type AppliedFilter, NoMatches } from '@/components/no-matches.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { Card } from '@/components/ui/card.tsx'
import { EmptyState } from '@/components/ui/empty-state.tsx'
import { Select } from '@/components/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton.tsx'
import { useElementBox } from '@/lib/use-element-box.ts'
import { useList } from '@/lib/use-list.ts'
import { materialsQuery, spoolListQuery } from './filament.queries.ts'
import { NO_FILTERS, readFilters, type SpoolFilters, withFilters } from './filament-address.ts'
import { SpoolCard } from './spool-card.tsx'
import { spoolLayout } from './spool-layout.ts'

/** Every spool with what is left of it: what is searched for stands in the address. */
export function FilamentRoom() {
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  const { list, items, count, isLoading, isEmpty, paging } = useList(spoolListQuery(filters))
  const apply = (next: SpoolFilters) => setParams(withFilters(params, next))
  const applied = appliedFilters(filters, apply)
  return (
    <>
      <h1 className="sr-only">Filament</h1>
      <FilterBar
        appliedKey={JSON.stringify(filters)}
        onApply={(field) =>
          apply({
            search: field('search'),
            material: field('material'),
            status: SPOOL_STATUSES.find((status) => status === field('status')) ?? null,
          })
        }
        count={count}
        one="spool"
        actions={<RefreshButton queries={[list]} />}
      >
        <SearchField label="Search brand, color, lot or spool" value={filters.search} />
        <MaterialSelect material={filters.material} />
        <Select
          name="status"
          aria-label="Status"
          defaultValue={filters.status ?? ''}
          className="w-32 phone:min-w-[40%] phone:flex-1"
        >
          <option value="">Any status</option>
          {SPOOL_STATUSES.map((status) => (
            <option key={status} value={status}>
              {STATUS_LOOKS[status].label}
            </option>
          ))}
        </Select>
      </FilterBar>
      <ListError name="The filament list" list={list} />
      {isLoading ? <Loading /> : null}
      {isEmpty && applied.length > 0 ? (
        <NoMatches title="No filament found" filters={applied} onClearAll={() => apply(NO_FILTERS)} />
      ) : null}
      {isEmpty && applied.length === 0 ? (
        <Card className="p-4">
          <EmptyState
            icon={<SpoolIcon size={28} strokeWidth={1.4} aria-hidden />}
            title="No filament found"
            titleLevel={2}
          >
            Spools are listed here, each with its material, its color, what is left of it and where it is.
          </EmptyState>
        </Card>
      ) : null}
      {items.length > 0 ? (
        <>
          <h2 className="sr-only">Spools</h2>
          <CardGrid
            {...paging}
            label="Spools"
            items={items}
            total={knownTotal(count ?? undefined)}
            layoutOf={spoolLayout}
            className="phone:-mx-4 phone:border-t phone:border-line"
          >
            {(spool, { isRow }) => <SpoolCard spool={spool} isRow={isRow} />}
          </CardGrid>
        </>
      ) : null}
    </>
  )
}

/** The materials there are, and the one that is filtered by even if no spool of it is left. */
function MaterialSelect({ material }: { material: string }) {
  const { data = [] } = useQuery(materialsQuery)
  const isListed = data.some((each) => each.toLowerCase() === material.toLowerCase())
  const options = material === '' || isListed ? data : [material, ...data]
  const selected = options.find((each) => each.toLowerCase() === material.toLowerCase()) ?? ''
  return (
    // Anew once the materials are known, so that the one of the address is chosen among them.
    <Select
      key={data.length}
      name="material"
      aria-label="Material"
      defaultValue={selected}
      className="w-36 phone:min-w-[40%] phone:flex-1"
    >
      <option value="">Any material</option>
      {options.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </Select>
  )
}

function appliedFilters(filters: SpoolFilters, apply: (next: SpoolFilters) => void): AppliedFilter[] {
  const { search, material, status } = filters
  const found: (AppliedFilter | null)[] = [
    search
      ? { name: `“${search}”`, clearLabel: 'Clear search', onClear: () => apply({ ...filters, search: '' }) }
      : null,
    material
      ? { name: material, clearLabel: 'Clear material', onClear: () => apply({ ...filters, material: '' }) }
      : null,
    status
      ? {
          name: STATUS_LOOKS[status].label,
          clearLabel: 'Clear status',
          onClear: () => apply({ ...filters, status: null }),
        }
      : null,
  ]
  return found.filter((filter) => filter !== null)
}

const SKELETON_ROWS = 3

function Loading() {
  const [ref, { width, isPhone }] = useElementBox<HTMLDivElement>()
  const { isRow, columns, gap, estimatedHeight } = spoolLayout(width, isPhone)
  return (
    <SkeletonGroup label="Loading the spools">
      <div
        ref={ref}
        className="grid phone:-mx-4"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gap }}
      >
        {Array.from({ length: width === 0 ? 0 : isRow ? 6 : columns * SKELETON_ROWS }, (_, index) => (
          <div
            key={index}
            className="flex gap-3.5 border-line bg-surface p-3.5 phone:border-b sm:rounded-card sm:border"
            style={{ height: estimatedHeight }}
          >
            <Skeleton className="size-[92px] rounded-full! phone:size-18" />
            <div className="flex-1">
              <Skeleton className="h-5 w-14" />
              <Skeleton className="mt-3 h-3 w-4/5" />
              <Skeleton className="mt-2 h-2.5 w-3/5" />
            </div>
          </div>
        ))}
      </div>
    </SkeletonGroup>
  )
}
