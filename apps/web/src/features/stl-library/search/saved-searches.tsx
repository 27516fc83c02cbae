import type { SavedSearch } from '@pegasus/contracts/stl-library/search'
import { useQuery } from '@tanstack/react-query'
import { Bookmark, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '@/components/ui/actions/dropdown-menu.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { savedSearchesQuery, useSavedSearches } from './search.queries.ts'
import { searchQueryOf, withSavedSearch } from '../library-address.ts'

const NAME_MAX_LENGTH = 100

/** Menu of saved searches: open, save, rename and delete. */
export function SavedSearches({ params }: { params: URLSearchParams }) {
  const { data: searches = [] } = useQuery(savedSearchesQuery)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <DropdownMenu
        trigger={
          <Button
            variant="ghost"
            aria-label="Saved searches"
            title="Saved searches"
            icon={<Bookmark size={16} strokeWidth={1.75} aria-hidden />}
          >
            <span className="max-2xl:sr-only">Saved</span>
          </Button>
        }
      >
        {searches.length > 0 ? (
          <>
            {searches.map(({ id, name, query }) => (
              <MenuItem key={id} asChild>
                <Link to={`?${withSavedSearch(params, query)}`}>
                  <bdi className="max-w-64 truncate">{name}</bdi>
                </Link>
              </MenuItem>
            ))}
            <MenuSeparator />
          </>
        ) : (
          <MenuLabel>No saved searches yet</MenuLabel>
        )}
        <MenuItem onSelect={() => setIsOpen(true)}>Save current search…</MenuItem>
      </DropdownMenu>
      {isOpen ? (
        <SavedSearchesDialog searches={searches} params={params} onClose={() => setIsOpen(false)} />
      ) : null}
    </>
  )
}

interface SavedSearchesDialogProps {
  searches: readonly SavedSearch[]
  params: URLSearchParams
  onClose: () => void
}

function SavedSearchesDialog({ searches, params, onClose }: SavedSearchesDialogProps) {
  const { save } = useSavedSearches()
  const [name, setName] = useState('')
  const [error, setError] = useState<string | null>(null)
  const query = searchQueryOf(params)
  const isTaken = searches.some((search) => search.name === name.trim())
  const handleSubmit = () => {
    if (name.trim() === '') return setError('Name is required')
    save.mutate(
      { name: name.trim(), query },
      {
        onSuccess: () => {
          toast({ title: `Search “${name.trim()}” saved` })
          onClose()
        },
        onError: (failure) => setError(errorMessage(failure, 'That did not work. Please try again.')),
      },
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Saved searches"
      description="Only you can see these."
      {...(query !== '' && { onSubmit: handleSubmit })}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {query === '' ? null : (
            <Button type="submit" variant="primary" isPending={save.isPending}>
              {isTaken ? 'Replace' : 'Save search'}
            </Button>
          )}
        </>
      }
    >
      {query === '' ? (
        <p className="text-ink-2">Search or filter the library first; then it can be saved here.</p>
      ) : (
        <Field
          label="Save what is shown as"
          error={error}
          hint={isTaken ? 'Replaces the search of that name.' : undefined}
        >
          <Input
            value={name}
            maxLength={NAME_MAX_LENGTH}
            autoComplete="off"
            onChange={(event) => {
              setName(event.target.value)
              setError(null)
            }}
          />
        </Field>
      )}
      {searches.length > 0 ? (
        <ul aria-label="Saved searches" className="mt-5 divide-y divide-line border-y border-line">
          {searches.map((search) => (
            <SavedRow key={search.id} search={search} params={params} onOpen={onClose} />
          ))}
        </ul>
      ) : null}
    </Dialog>
  )
}

interface SavedRowProps {
  search: SavedSearch
  params: URLSearchParams
  onOpen: () => void
}

function SavedRow({ search, params, onOpen }: SavedRowProps) {
  const { rename, forget, save } = useSavedSearches()
  const [name, setName] = useState<string | null>(null)
  const showFailure = (error: unknown) =>
    toast({ title: errorMessage(error, 'That did not work. Please try again.') })
  if (name !== null) {
    const isUnchanged = name.trim() === '' || name.trim() === search.name
    const commit = () =>
      rename.mutate({ search, name: name.trim() }, { onSuccess: () => setName(null), onError: showFailure })
    return (
      <li className="flex items-center gap-2 py-1.5">
        <Input
          aria-label={`New name of ${search.name}`}
          value={name}
          maxLength={NAME_MAX_LENGTH}
          autoFocus
          className="flex-1"
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Not the surrounding form, which saves the current search.
            event.preventDefault()
            if (!isUnchanged) commit()
          }}
        />
        <Button size="sm" onClick={() => setName(null)}>
          Cancel
        </Button>
        <Button size="sm" onClick={commit} disabled={isUnchanged} isPending={rename.isPending}>
          Rename
        </Button>
      </li>
    )
  }
  const handleForget = () =>
    forget.mutate(search, {
      onSuccess: () =>
        toast({
          title: `Search “${search.name}” deleted`,
          action: { label: 'Undo', onSelect: () => save.mutate({ name: search.name, query: search.query }) },
        }),
      onError: showFailure,
    })
  return (
    <li className="flex min-h-11 items-center gap-1">
      <Link
        to={`?${withSavedSearch(params, search.query)}`}
        onClick={onOpen}
        className="link min-w-0 flex-1 truncate"
      >
        <bdi>{search.name}</bdi>
      </Link>
      <IconButton label={`Rename ${search.name}`} size="sm" onClick={() => setName(search.name)}>
        <Pencil size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <IconButton label={`Delete ${search.name}`} size="sm" onClick={handleForget}>
        <Trash2 size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </li>
  )
}
