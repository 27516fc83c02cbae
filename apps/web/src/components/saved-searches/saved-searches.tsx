import type { SearchedList } from '@pegasus/contracts/stl-library/search'
import { useQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '@/components/ui/actions/dropdown-menu.tsx'
import { onDemand } from '@/lib/browser/loadable.tsx'
import { savedSearchesQuery } from './saved-searches.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const SavedSearchesDialog = onDemand(
  async () => (await import('./saved-searches-dialog.tsx')).SavedSearchesDialog,
)

/** A list with saved searches, and the functions that read and write a search in its URL. */
export interface SearchedAddress {
  list: SearchedList
  /** Name of the list inside a sentence: `the library`. */
  listName: string
  params: URLSearchParams
  /** Returns the filters and the order in a URL, in the format that is saved. Empty without filters. */
  queryOf: (params: URLSearchParams) => string
  /** Returns the same URL with the filters and the order of a saved search. */
  withSaved: (params: URLSearchParams, query: string) => URLSearchParams
}

/** The menu of saved searches, for opening, saving, renaming and deleting them. */
export function SavedSearches({
  address,
  isIconOnly = false,
}: {
  address: SearchedAddress
  isIconOnly?: boolean
}) {
  const { params, withSaved } = address
  const { data: searches = [] } = useQuery(savedSearchesQuery(address.list))
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <DropdownMenu
        trigger={
          <Button
            variant="ghost"
            aria-label={t('Saved searches')}
            title={t('Saved searches')}
            icon={<Bookmark size={16} strokeWidth={1.75} aria-hidden />}
          >
            <span className={isIconOnly ? 'sr-only' : 'max-2xl:sr-only'}>{t('Saved')}</span>
          </Button>
        }
      >
        {searches.length > 0 ? (
          <>
            {searches.map(({ id, name, query, is_mine: isMine, owner_name: owner }) => (
              <MenuItem key={id} asChild>
                <Link to={`?${withSaved(params, query)}`}>
                  <bdi className="max-w-64 truncate">{name}</bdi>
                  {isMine ? null : (
                    <bdi className="ms-auto max-w-40 truncate ps-4 text-caption text-ink-3">{owner}</bdi>
                  )}
                </Link>
              </MenuItem>
            ))}
            <MenuSeparator />
          </>
        ) : (
          <MenuLabel>{t('No saved searches yet')}</MenuLabel>
        )}
        <MenuItem onSelect={() => setIsOpen(true)}>{t('Save current search…')}</MenuItem>
      </DropdownMenu>
      {isOpen ? (
        <SavedSearchesDialog searches={searches} address={address} onClose={() => setIsOpen(false)} />
      ) : null}
    </>
  )
}
