import { hasRole } from '@pegasus/contracts/roles'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { ErrorState } from '@/components/ui/error-state.tsx'
import { toast } from '@/components/ui/toast-store.ts'
import { errorDetail } from '@/lib/api-error.ts'
import { useCurrentUser } from '@/lib/session.ts'
import { DropVeil } from './drop-veil.tsx'
import { formatTime } from './format-time.ts'
import {
  hasFilters,
  type LibraryFilters,
  readFilters,
  withFilters,
  withModel,
  withUpload,
} from './library-address.ts'
import { EmptyLibrary, LibrarySkeleton, NoMatches } from './library-states.tsx'
import { LibraryToolbar } from './library-toolbar.tsx'
import { ModelGrid } from './model-grid.tsx'
import { modelListQuery } from './stl-library.queries.ts'
import { UploadDialog } from './upload-dialog.tsx'
import { useDroppedFile } from './use-dropped-file.ts'
import { useUpload } from './use-upload.ts'

export function LibraryPage() {
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  const list = useInfiniteQuery({ ...modelListQuery(filters), placeholderData: keepPreviousData })
  const canUpload = hasRole(useCurrentUser().role, 'staff')
  const isUploadOpen = canUpload && params.has('upload')
  const openUpload = () => setParams((now) => withUpload(now, true))
  const closeUpload = () => setParams((now) => withUpload(now, false), { replace: true })
  const upload = useUpload((added) => {
    closeUpload()
    const isDuplicate = added.duplicate_of !== null
    toast({
      title: isDuplicate
        ? 'The same file is already in the library; it was added again'
        : `Added “${added.title}”`,
      action: {
        label: isDuplicate ? 'View the other' : 'View',
        onSelect: () => setParams((now) => withModel(now, added.duplicate_of ?? added.id)),
      },
    })
  })
  const isDragging = useDroppedFile({
    isEnabled: canUpload && upload.progress === null,
    onFile: (file) => {
      upload.chooseFile(file)
      openUpload()
    },
  })

  const [firstPage] = list.data?.pages ?? []
  const models = list.data?.pages.flatMap((page) => page.items) ?? []
  const applyFilters = (next: LibraryFilters) => setParams(withFilters(params, next))
  return (
    <>
      <LibraryToolbar
        applied={filters}
        onApply={applyFilters}
        count={firstPage ?? null}
        onUpload={canUpload ? openUpload : null}
      />
      {list.isError ? (
        <ErrorState
          message={errorDetail(list.error, 'The STL library could not be loaded. Please try again.')}
          detail={list.data && `The list below is from ${formatTime(list.dataUpdatedAt)}.`}
          onRetry={() => (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch())}
          isRetrying={list.isFetching}
          className="mb-4"
        />
      ) : null}
      {list.isPending ? <LibrarySkeleton /> : null}
      {list.data && models.length === 0 ? (
        hasFilters(filters) ? (
          <NoMatches filters={filters} onApply={applyFilters} />
        ) : (
          <EmptyLibrary onUpload={canUpload ? openUpload : null} />
        )
      ) : null}
      {models.length > 0 ? (
        <ModelGrid
          models={models}
          total={firstPage?.isTotalCapped ? -1 : (firstPage?.total ?? models.length)}
          addressOf={(model) => `?${withModel(params, model.id)}`}
          hasMore={list.hasNextPage && !list.isFetching && !list.isError}
          onMore={list.fetchNextPage}
        />
      ) : null}
      {isUploadOpen ? <UploadDialog upload={upload} onClose={closeUpload} /> : null}
      {isDragging ? <DropVeil /> : null}
    </>
  )
}
