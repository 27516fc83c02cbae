import { hasRole } from '@pegasus/contracts/roles'
import type { ListedModel } from '@pegasus/contracts/stl-library/models'
import { MAX_BULK_MODELS } from '@pegasus/contracts/stl-library/model-changes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { knownTotal } from '@/components/card-grid.tsx'
import { ListError } from '@/components/list-error.tsx'
import { SavedSearches } from '@/components/saved-searches/saved-searches.tsx'
import { useSelection } from '@/components/selection/use-selection.ts'
import { onDemand } from '@/lib/browser/loadable.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { LibrarySkeleton } from './cards/card-skeletons.tsx'
import { FilterChips } from './search/filter-chips.tsx'
import {
  hasFilters,
  type LibraryFilters,
  readFilters,
  readSort,
  withTrash,
  withFilters,
  withSort,
  withUpload,
  searchQueryOf,
  withSavedSearch,
  NO_FILTERS,
} from './library-address.ts'
import { LibraryToolbar } from './library-toolbar.tsx'
import { ModelGrid } from './cards/model-grid.tsx'
import { listQueryOf, modelPageQuery, PAGE_SIZE, pageChainQuery } from './search/model-list.queries.ts'
import { FIRST_LINK, positionsIn } from './search/page-chain.ts'
import { UploadArea } from './upload/upload-area.tsx'
import { Box, Upload } from 'lucide-react'
import { NoMatches } from '@/components/no-matches.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { filterLabels } from './search/filter-labels.ts'
import { t } from '@/lib/i18n/messages.ts'

const ModelSelectionBar = onDemand(
  async () => (await import('./model-forms/model-selection-bar.tsx')).ModelSelectionBar,
)

/** The list of models. The URL contains its state, and the server returns its models. */
export function LibraryPage() {
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  const sort = readSort(params)
  const query = listQueryOf(filters, sort)
  const { data: chain = FIRST_LINK } = useQuery(pageChainQuery(query))
  const first = useQuery({ ...modelPageQuery(query, 0, null), placeholderData: keepPreviousData })
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const selection = useSelection<ListedModel>('model', MAX_BULK_MODELS)
  const openUpload = () => setParams((now) => withUpload(now, true))
  const closeUpload = () => setParams((now) => withUpload(now, false), { replace: true })

  const isStale = first.isPlaceholderData
  const hasModels = (first.data?.items.length ?? 0) > 0
  // If the previous filters matched nothing, the result for these filters is still unknown.
  const isKnown = first.data !== undefined && !(isStale && !hasModels)
  const isEmpty = isKnown && !hasModels
  const total = knownTotal(first.data)
  const onUpload = canChange ? openUpload : null
  const applyFilters = (next: LibraryFilters) => setParams(withFilters(params, next))
  return (
    <>
      <h1 className="sr-only">{t('STL Library')}</h1>
      <LibraryToolbar
        applied={filters}
        onApply={applyFilters}
        sort={sort}
        onSort={(next) => setParams(withSort(params, next))}
        count={isKnown && first.data ? first.data : null}
        savedSearches={
          <SavedSearches
            address={{
              list: 'library',
              listName: t('the library'),
              params,
              queryOf: searchQueryOf,
              withSaved: withSavedSearch,
            }}
          />
        }
        trashAddress={`?${withTrash(params, true)}`}
        // In an empty library, the only upload button is in the middle of the page.
        onUpload={isEmpty && !hasFilters(filters) ? null : onUpload}
      />
      <FilterChips filters={filters} onApply={applyFilters} />
      <ListError name={t('The STL library')} list={first} />
      {isKnown || first.isError ? null : <LibrarySkeleton />}
      {isEmpty && hasFilters(filters) ? <NoModelsFound filters={filters} onApply={applyFilters} /> : null}
      {isEmpty && !hasFilters(filters) ? <EmptyLibrary onUpload={onUpload} /> : null}
      {hasModels ? (
        <ModelGrid
          query={query}
          cursors={chain.cursors}
          places={positionsIn(chain, { pageSize: PAGE_SIZE, total: total < 0 ? null : total })}
          total={total}
          search={params}
          isStale={isStale}
          selection={canChange ? selection : null}
        />
      ) : null}
      {canChange && selection.things.size > 0 ? <ModelSelectionBar selection={selection} /> : null}
      {canChange ? (
        <UploadArea isOpen={params.has('upload')} onOpen={openUpload} onClose={closeUpload} />
      ) : null}
    </>
  )
}

/** Shown if the library is empty. `onUpload` is null for people who may not upload. */
function EmptyLibrary({ onUpload }: { onUpload: (() => void) | null }) {
  return (
    <Card className="p-4">
      <EmptyState
        icon={<Box size={40} strokeWidth={1} aria-hidden />}
        titleLevel={2}
        title={t('No STL files found')}
        actions={
          onUpload ? (
            <>
              <Button
                variant="primary"
                onClick={onUpload}
                icon={<Upload size={16} strokeWidth={1.75} aria-hidden />}
              >
                {t('Upload STL')}
              </Button>
              <span className="text-label text-ink-3 touch:hidden">
                {t('or drop files anywhere on this page')}
              </span>
            </>
          ) : null
        }
      >
        {t('The library keeps every model with its picture, its size, its license and any print warnings.')}
      </EmptyState>
    </Card>
  )
}

interface NoModelsFoundProps {
  filters: LibraryFilters
  onApply: (filters: LibraryFilters) => void
}

/** Shown if the filters match nothing. It names the filters, and offers to remove one or all of them. */
const NoModelsFound = ({ filters, onApply }: NoModelsFoundProps) => (
  <NoMatches
    title={t('No STL files found')}
    filters={filterLabels(filters).map(({ without, ...word }) => ({
      ...word,
      onClear: () => onApply(without),
    }))}
    onClearAll={() => onApply(NO_FILTERS)}
  />
)
