import { Box, Upload } from 'lucide-react'
import { NoMatches } from '@/components/no-matches.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { filterLabels } from './search/filter-labels.ts'
import { type LibraryFilters, NO_FILTERS } from './library-address.ts'

/** The empty library. `onUpload` is absent for people who may not upload. */
export function EmptyLibrary({ onUpload }: { onUpload: (() => void) | null }) {
  return (
    <Card className="p-4">
      <EmptyState
        icon={<Box size={40} strokeWidth={1} aria-hidden />}
        titleLevel={2}
        title="No STL files found"
        actions={
          onUpload ? (
            <>
              <Button
                variant="primary"
                onClick={onUpload}
                icon={<Upload size={16} strokeWidth={1.75} aria-hidden />}
              >
                Upload STL
              </Button>
              <span className="text-label text-ink-3 touch:hidden">or drop files anywhere on this page</span>
            </>
          ) : null
        }
      >
        The library keeps every model with its picture, its size, its license and any print warnings.
      </EmptyState>
    </Card>
  )
}

interface NoModelsFoundProps {
  filters: LibraryFilters
  onApply: (filters: LibraryFilters) => void
}

/** Empty result of filters: names them and removes one or all. */
export const NoModelsFound = ({ filters, onApply }: NoModelsFoundProps) => (
  <NoMatches
    title="No STL files found"
    filters={filterLabels(filters).map(({ without, ...word }) => ({
      ...word,
      onClear: () => onApply(without),
    }))}
    onClearAll={() => onApply(NO_FILTERS)}
  />
)
