import { SPOOL_SORTS } from '@pegasus/contracts/filament/spools'
import { hasRole } from '@pegasus/contracts/roles'
import { SPOOL_STATUSES, STATUS_DISPLAY } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { Plus, Spool as SpoolIcon } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { CardGrid, knownTotal } from '@/components/card-grid.tsx'
import { FilterBar, SearchField } from '@/components/filter-bar.tsx'
import { ListError } from '@/components/list-error.tsx'
import { NoMatches } from '@/components/no-matches.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { formatGrams } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useElementBox } from '@/lib/browser/use-element-box.ts'
import { useList } from '@/lib/http/use-list.ts'
import { forecastQuery, spoolListQuery, stockQuery } from '../filament.queries.ts'
import {
  NO_FILTERS,
  readFilters,
  type SpoolFilters,
  withFilters,
  withSpool,
  withView,
} from '../filament-address.ts'
import { appliedFilters, SORT_WORDS } from '../filament-filters.ts'
import { AddSpoolDialog } from './add-spool-dialog.tsx'
import { MaterialSelect } from '../material-select.tsx'
import { SpoolCard } from './spool-card.tsx'
import { spoolLayout } from './spool-layout.ts'
import { RunningLow } from '../stock/running-low.tsx'

/** Every spool with what is left of it: what is searched for stands in the address. */
export function SpoolList({ queueAddress }: { queueAddress: string }) {
  const [params, setParams] = useSearchParams()
  const [isAdding, setIsAdding] = useState(false)
  const canAdd = hasRole(useCurrentUser().role, 'staff')
  const filters = readFilters(params)
  const { list, items, count, isLoading, isEmpty, paging } = useList(spoolListQuery(filters))
  const stock = useQuery(stockQuery)
  const forecast = useQuery(forecastQuery)
  const apply = (next: SpoolFilters) => setParams(withFilters(params, next))
  const applied = appliedFilters(filters, apply)
  const totalGrams = stock.data?.reduce((sum, { remaining_grams }) => sum + remaining_grams, 0)
  const stockAddress = `?${withView(params, 'colors')}`
  const addButton = canAdd ? (
    <Button
      variant="primary"
      icon={<Plus size={16} strokeWidth={1.75} aria-hidden />}
      onClick={() => setIsAdding(true)}
    >
      Add Filament
    </Button>
  ) : null
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
            sort: SPOOL_SORTS.find((sort) => sort === field('sort')) ?? NO_FILTERS.sort,
          })
        }
        count={count}
        one="spool"
        note={
          <>
            {totalGrams && applied.length === 0 ? ` · ${formatGrams(totalGrams)}` : null}
            {' · '}
            <Link to={stockAddress} className="link">
              By color
            </Link>
            {' · '}
            <Link to={`?${withView(params, 'bin')}`} className="link">
              Bin
            </Link>
          </>
        }
        actions={
          <>
            <RefreshButton queries={[list, stock, forecast]} />
            {addButton}
          </>
        }
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
              {STATUS_DISPLAY[status].label}
            </option>
          ))}
        </Select>
        <Select name="sort" aria-label="Order" defaultValue={filters.sort} className="w-40 phone:w-full">
          {SPOOL_SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {SORT_WORDS[sort]}
            </option>
          ))}
        </Select>
      </FilterBar>
      <RunningLow queueAddress={queueAddress} stockAddress={stockAddress} />
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
            actions={canAdd ? <Button onClick={() => setIsAdding(true)}>Add your first spool</Button> : null}
          >
            Spools are listed here, each with its material, its color, what is left of it and where it is.
            Prints take from them, and the queue tells when one will run out.
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
            {(spool, { isRow }) => (
              <SpoolCard spool={spool} to={`?${withSpool(params, spool.id)}`} isRow={isRow} />
            )}
          </CardGrid>
        </>
      ) : null}
      {isAdding ? <AddSpoolDialog onClose={() => setIsAdding(false)} /> : null}
    </>
  )
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
