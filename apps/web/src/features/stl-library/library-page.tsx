import { hasRole } from '@pegasus/contracts/roles'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { ListError } from '@/components/list-error.tsx'
import { useCurrentUser } from '@/lib/session.ts'
import { DropVeil } from './drop-veil.tsx'
import { hasFilters, type LibraryFilters, readFilters, withFilters } from './library-address.ts'
import { EmptyLibrary, LibrarySkeleton, NoMatches } from './library-states.tsx'
import { LibraryToolbar } from './library-toolbar.tsx'
import { ModelGrid } from './model-grid.tsx'
import { modelListQuery } from './stl-library.queries.ts'
import { UploadDialog } from './upload-dialog.tsx'
import { useDroppedFile } from './use-dropped-file.ts'
import { useUploadDialog } from './use-upload-dialog.ts'

/** The list of models: what is searched for stands in the address, everything else comes from the server. */
export function LibraryPage() {
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  const list = useInfiniteQuery({ ...modelListQuery(filters), placeholderData: keepPreviousData })
  const canUpload = hasRole(useCurrentUser().role, 'staff')
  const { upload, ...dialog } = useUploadDialog()
  const isDragging = useDroppedFile({
    isEnabled: canUpload && upload.progress === null,
    onFile: (file) => {
      upload.chooseFile(file)
      dialog.open()
    },
  })

  const [firstPage] = list.data?.pages ?? []
  const models = list.data?.pages.flatMap((page) => page.items) ?? []
  // What other filters left empty says nothing of these.
  const isKnown = list.data !== undefined && !(list.isPlaceholderData && models.length === 0)
  const isEmpty = isKnown && models.length === 0
  const onUpload = canUpload ? dialog.open : null
  const applyFilters = (next: LibraryFilters) => setParams(withFilters(params, next))
  return (
    <>
      <h1 className="sr-only">STL Library</h1>
      <LibraryToolbar
        applied={filters}
        onApply={applyFilters}
        count={isKnown && firstPage ? firstPage : null}
        // An empty library has its one button in the middle of the page.
        onUpload={isEmpty && !hasFilters(filters) ? null : onUpload}
      />
      <ListError name="The STL library" list={list} />
      {isKnown || list.isError ? null : <LibrarySkeleton />}
      {isEmpty && hasFilters(filters) ? <NoMatches filters={filters} onApply={applyFilters} /> : null}
      {isEmpty && !hasFilters(filters) ? <EmptyLibrary onUpload={onUpload} /> : null}
      {models.length > 0 ? (
        <ModelGrid
          models={models}
          total={firstPage?.isTotalCapped ? UNKNOWN_SIZE : (firstPage?.total ?? models.length)}
          search={params}
          isStale={list.isPlaceholderData}
          hasMore={list.hasNextPage && !list.isFetching && !list.isError}
          onMore={list.fetchNextPage}
        />
      ) : null}
      {canUpload && dialog.isOpen ? <UploadDialog upload={upload} onClose={dialog.close} /> : null}
      {isDragging ? <DropVeil /> : null}
    </>
  )
}

/** What `aria-setsize` says of a list whose end is not known. */
const UNKNOWN_SIZE = -1
