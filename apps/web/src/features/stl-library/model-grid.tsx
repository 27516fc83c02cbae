import type { StlFile } from '@pegasus/contracts/stl-files'
import { CardGrid } from '@/components/card-grid.tsx'
import { cardLayout } from './card-layout.ts'
import { withModel } from './library-address.ts'
import { ModelCard } from './model-card.tsx'

interface ModelGridProps {
  models: readonly StlFile[]
  /** How many there are in all, as far as known; read out with each card. */
  total: number
  /** The address of the list, from which those of the models follow. */
  search: URLSearchParams
  /** Whether these are still the models of the filters before. */
  isStale: boolean
  hasMore: boolean
  onMore: () => void
}

/** Any number of cards: only the rows near the window exist. */
export function ModelGrid({ models, search, ...list }: ModelGridProps) {
  return (
    <CardGrid {...list} label="STL files" items={models} layoutOf={cardLayout} className="phone:-mx-4">
      {(model, { isRow }) => <ModelCard model={model} to={`?${withModel(search, model.id)}`} isRow={isRow} />}
    </CardGrid>
  )
}
