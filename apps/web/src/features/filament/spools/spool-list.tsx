import { SPOOL_SORTS, type SpoolSort } from '@pegasus/contracts/filament/spools'
import { hasRole } from '@pegasus/contracts/roles'
import { SPOOL_STATUSES } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { Plus, Spool as SpoolIcon } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { CardGrid, CardGridSkeleton } from '@/components/card-grid.tsx'
import {
  appliedFilters,
  type ListFilters,
  orderFilter,
  searchFilter,
  statusFilter,
  useListState,
} from '@/components/kit/list-filters.tsx'
import { ListPage, type ListTexts } from '@/components/kit/list-page.tsx'
import { MainAction } from '@/components/kit/main-action.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { SavedSearches } from '@/components/saved-searches/saved-searches.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Skeleton, SkeletonText } from '@/components/ui/feedback/skeleton.tsx'
import { currentParams } from '@/lib/browser/address-state.ts'
import { formatGrams } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { forecastQuery, spoolListQuery, stockQuery } from '../filament.queries.ts'
import {
  NO_FILTERS,
  readFilters,
  searchQueryOf,
  type SpoolFilters,
  withAdd,
  withFilters,
  withSavedSearch,
  withSpool,
  withView,
} from '../filament-address.ts'
import { AddSpoolDialog } from './add-spool-dialog.tsx'
import { MaterialSelect } from '../material-select.tsx'
import { SpoolCard } from './spool-card.tsx'
import { RunningLow } from '../stock/running-low.tsx'
import { t } from '@/lib/i18n/messages.ts'

const FIELDS: ListFilters<SpoolFilters> = [
  searchFilter(t('Search brand, color, lot or spool')),
  {
    name: 'material',
    control: ({ material }) => <MaterialSelect material={material} />,
    read: (material) => ({ material }),
    nameOf: ({ material }) => material,
    clearLabel: t('Clear material'),
    cleared: { material: '' },
  },
  statusFilter(SPOOL_STATUSES, 'w-32'),
  orderFilter({
    name: 'sort',
    label: t('Order'),
    values: SPOOL_SORTS,
    labelOf: (sort) => SORT_LABELS[sort],
    usual: NO_FILTERS.sort,
    className: 'w-36',
  }),
]

const SORT_LABELS: Readonly<Record<SpoolSort, string>> = {
  newest: t('Newest first'),
  least_left: t('Least left first'),
  most_left: t('Most left first'),
  material: t('By material'),
  last_used: t('Last used first'),
}

const SEARCHES = {
  list: 'filament',
  listName: t('the spools'),
  queryOf: searchQueryOf,
  withSaved: withSavedSearch,
} as const

const TEXTS: ListTexts = {
  name: t('The filament list'),
  one: 'spool',
  loading: t('Loading the spools'),
  noMatches: t('No filament found'),
}

/** The list of spools with their remaining weight. The URL contains the search and the filters. */
export function SpoolList({ queueAddress }: { queueAddress: string }) {
  const state = useListState({ read: readFilters, write: withFilters, fields: FIELDS, query: spoolListQuery })
  const { params, filters, onApply, data } = state
  const [, setParams] = useSearchParams()
  const openAdd = () => setParams(withAdd(currentParams(), true))
  const canAdd = hasRole(useCurrentUser().role, 'staff')
  const stock = useQuery(stockQuery)
  const forecast = useQuery(forecastQuery)
  const isFiltered = appliedFilters(FIELDS, filters, onApply).length > 0
  const totalGrams = stock.data?.reduce((sum, { remaining_grams }) => sum + remaining_grams, 0)
  const stockAddress = `?${withView(params, 'colors')}`
  return (
    <ListPage
      heading={t('Filament')}
      state={state}
      texts={TEXTS}
      note={
        <>
          {totalGrams && !isFiltered ? ` · ${formatGrams(totalGrams)}` : null}
          {' · '}
          <Link to={stockAddress} className="link">
            {t('By color')}
          </Link>
          {' · '}
          <Link to={`?${withView(params, 'bin')}`} className="link">
            {t('Trash')}
          </Link>
        </>
      }
      actions={
        <>
          <RefreshButton queries={[data.list, stock, forecast]} isShort />
          <span className="phone:hidden">
            <SavedSearches address={{ ...SEARCHES, params }} isIconOnly />
          </span>
          {canAdd ? (
            <MainAction
              label={t('Add Filament')}
              icon={<Plus size={16} strokeWidth={1.75} aria-hidden />}
              onClick={openAdd}
            />
          ) : null}
        </>
      }
      sheetExtra={<SavedSearches address={{ ...SEARCHES, params }} />}
      toolbar={<RunningLow queueAddress={queueAddress} stockAddress={stockAddress} />}
      empty={{
        icon: SpoolIcon,
        title: t('No filament found'),
        text: t(
          'Spools are listed here with material, color, remaining weight and location. Prints reduce the weight, and a warning appears before a spool runs out.',
        ),
        actions: canAdd ? <Button onClick={openAdd}>{t('Add your first spool')}</Button> : null,
      }}
      rows={{
        skeleton: <Loading />,
        render: (shown) => (
          <>
            <h2 className="sr-only">{t('Spools')}</h2>
            <CardGrid
              {...shown}
              label={t('Spools')}
              layoutOf={spoolLayout}
              className="phone:-mx-4 phone:border-t phone:border-line"
            >
              {(spool, { isRow }) => (
                <SpoolCard spool={spool} to={`?${withSpool(params, spool.id)}`} isRow={isRow} />
              )}
            </CardGrid>
          </>
        ),
      }}
    >
      {canAdd && params.has('add') ? (
        <AddSpoolDialog onClose={() => setParams(withAdd(currentParams(), false), { replace: true })} />
      ) : null}
    </ListPage>
  )
}

const SKELETON_ROWS = 3

const Loading = () => (
  <CardGridSkeleton
    label={t('Loading the spools')}
    layoutOf={spoolLayout}
    countOf={({ isRow, columns }) => (isRow ? 6 : columns * SKELETON_ROWS)}
    className="phone:-mx-4"
  >
    {({ estimatedHeight }) => (
      <div
        className="flex gap-3.5 border-line bg-surface p-3.5 phone:border-b sm:rounded-card sm:border"
        style={{ height: estimatedHeight }}
      >
        <Skeleton className="size-[92px] rounded-full! phone:size-18" />
        <SkeletonText bars={['h-5 w-14', 'mt-3 h-3 w-4/5', 'mt-2 h-2.5 w-3/5']} />
      </div>
    )}
  </CardGridSkeleton>
)

const CARD_MIN_WIDTH = 252
const CARD_GAP = 16
const CARD_HEIGHT = 209
const ROW_HEIGHT = 186

interface SpoolLayout {
  isRow: boolean
  columns: number
  gap: number
  estimatedHeight: number
}

/** Returns the layout for a width in pixels: a grid of cards, or rows on a phone. */
function spoolLayout(width: number, isPhone: boolean): SpoolLayout {
  if (isPhone) return { isRow: true, columns: 1, gap: 0, estimatedHeight: ROW_HEIGHT }
  const columns = Math.max(1, Math.floor((width + CARD_GAP) / (CARD_MIN_WIDTH + CARD_GAP)))
  return { isRow: false, columns, gap: CARD_GAP, estimatedHeight: CARD_HEIGHT }
}
