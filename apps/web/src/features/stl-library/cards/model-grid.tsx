import type { ListedModel } from '@pegasus/contracts/stl-library/models'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { QueryError } from '@/components/query-error.tsx'
import type { Selection } from '@/components/selection/use-selection.ts'
import { VirtualGrid } from '@/components/virtual-rows.tsx'
import { type CardLayout, cardLayout } from './card-layout.ts'
import { SkeletonCard, SkeletonRow } from './card-skeletons.tsx'
import { withModel } from '../library-address.ts'
import { ModelCard } from './model-card.tsx'
import { type ModelListQuery, modelPageQuery, PAGE_SIZE } from '../search/model-list.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

interface ModelGridProps {
  query: ModelListQuery
  /** The cursor of each known page. */
  cursors: readonly (string | null)[]
  /** Number of positions to reserve in the grid. */
  places: number
  /** Number of all models, read out with each card; −1 if unknown. */
  total: number
  /** Parameters of the list's URL. The addresses of models are derived from it. */
  search: URLSearchParams
  /** True if these models match the previous filters, because the models for the new filters are still loading. */
  isStale: boolean
  /** The selection of the list; null for people who may not change anything. */
  selection: Selection<ListedModel> | null
}

/** A grid that renders only the rows near the window, and fetches only their pages. */
export function ModelGrid({ places, isStale, ...rest }: ModelGridProps) {
  return (
    <VirtualGrid
      label={t('STL files')}
      count={places}
      layoutOf={cardLayout}
      isStale={isStale}
      hasMore={false}
      onMore={nothingMore}
      className="phone:-mx-4"
    >
      {(row) => <GridRow {...rest} {...row} />}
    </VirtualGrid>
  )
}

/** The grid need not load more pages, because each row fetches its own models. */
const nothingMore = () => {}

interface GridRowProps extends Omit<ModelGridProps, 'places' | 'isStale'> {
  /** Positions of the row, with `end` excluded. All of them are on one page. */
  first: number
  end: number
  layout: CardLayout
}

function GridRow({ query, cursors, total, search, selection, first, end, layout }: GridRowProps) {
  const index = Math.floor(first / PAGE_SIZE)
  const page = useQuery({
    ...modelPageQuery(query, index, cursors[index] ?? null),
    enabled: index < cursors.length,
    placeholderData: keepPreviousData,
  })
  const start = index * PAGE_SIZE
  if (page.isError && !page.data && first === start)
    return <QueryError query={page} message={t('These models could not be loaded.')} />
  return (
    <div
      role="presentation"
      className="grid"
      style={{ gridTemplateColumns: `repeat(${layout.columns}, minmax(0, 1fr))`, gap: layout.gap }}
    >
      {Array.from({ length: end - first }, (_, column) => {
        const place = first + column
        const model = page.data?.items[place - start]
        return model ? (
          <div
            key={model.id}
            role="listitem"
            aria-posinset={place + 1}
            aria-setsize={total}
            className="min-w-0"
          >
            <Card model={model} search={search} selection={selection} layout={layout} />
          </div>
        ) : page.data ? null : layout.isRow ? (
          <SkeletonRow key={place} />
        ) : (
          <SkeletonCard key={place} />
        )
      })}
    </div>
  )
}

interface CardProps {
  model: ListedModel
  search: URLSearchParams
  selection: Selection<ListedModel> | null
  layout: CardLayout
}

const Card = ({ model, search, selection, layout }: CardProps) => (
  <ModelCard
    model={model}
    to={`?${withModel(search, model.id)}`}
    isRow={layout.isRow}
    isWide={layout.isWide}
    tick={
      selection && {
        isOn: selection.things.has(model.id),
        isAnyOn: selection.things.size > 0,
        onToggle: () => selection.toggle(model),
      }
    }
  />
)
