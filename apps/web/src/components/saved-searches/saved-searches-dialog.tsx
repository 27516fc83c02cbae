import type { SavedSearch } from '@pegasus/contracts/stl-library/search'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Switch } from '@/components/ui/forms/switch.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useSavedSearches } from './saved-searches.queries.ts'
import type { SearchedAddress } from './saved-searches.tsx'
import { t } from '@/lib/i18n/messages.ts'

const NAME_MAX_LENGTH = 100

interface SavedSearchesDialogProps {
  searches: readonly SavedSearch[]
  address: SearchedAddress
  onClose: () => void
}

/** Saves the current search under a name. Opens, shares, renames and deletes the person's saved searches. */
export function SavedSearchesDialog({ searches, address, onClose }: SavedSearchesDialogProps) {
  const { save } = useSavedSearches(address.list)
  const [name, setName] = useState('')
  const [isShared, setIsShared] = useState(false)
  const canShare = isEmployeeOrHigher(useCurrentUser().role)
  const [error, setError] = useState<string | null>(null)
  const query = address.queryOf(address.params)
  const ownSearches = searches.filter(({ is_mine: isMine }) => isMine)
  const sameName = ownSearches.find((search) => search.name === name.trim())
  const handleSubmit = () => {
    if (name.trim() === '') return setError(t('Name is required'))
    save.mutate(
      { name: name.trim(), query, ...((isShared || !sameName) && { isShared }) },
      {
        onSuccess: () => {
          toast({ title: t('Search “{name}” saved', { name: name.trim() }) })
          onClose()
        },
        onError: (failure) => setError(errorMessage(failure, t('That did not work. Please try again.'))),
      },
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('Saved searches')}
      description={
        canShare
          ? t('Your own searches. Others see only those that you share.')
          : t('Only you can see these.')
      }
      {...(query !== '' && { onSubmit: handleSubmit })}
      footer={
        <>
          <Button onClick={onClose}>{t('Close')}</Button>
          {query === '' ? null : (
            <Button type="submit" variant="primary" isPending={save.isPending}>
              {sameName ? t('Replace') : t('Save search')}
            </Button>
          )}
        </>
      }
    >
      {query === '' ? (
        <p className="text-ink-2">
          {t('Search or filter {listName} first; then it can be saved here.', { listName: address.listName })}
        </p>
      ) : (
        <Field
          label={t('Save this search as')}
          error={error}
          hint={sameName ? t('Replaces the search with that name.') : undefined}
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
      {query !== '' && canShare ? (
        <Checkbox
          label={t('Share with everybody')}
          className="mt-3"
          checked={isShared}
          onChange={(event) => setIsShared(event.target.checked)}
        />
      ) : null}
      {ownSearches.length > 0 ? (
        <ul aria-label={t('Saved searches')} className="mt-5 divide-y divide-line border-y border-line">
          {ownSearches.map((search) => (
            <SavedRow key={search.id} search={search} address={address} onOpen={onClose} />
          ))}
        </ul>
      ) : null}
    </Dialog>
  )
}

interface SavedRowProps {
  search: SavedSearch
  address: SearchedAddress
  onOpen: () => void
}

function SavedRow({ search, address: { list, params, withSaved }, onOpen }: SavedRowProps) {
  const { rename, forget, save } = useSavedSearches(list)
  const canShare = isEmployeeOrHigher(useCurrentUser().role)
  const [name, setName] = useState<string | null>(null)
  const showFailure = (error: unknown) =>
    toast({ title: errorMessage(error, t('That did not work. Please try again.')) })
  if (name !== null) {
    const isUnchanged = name.trim() === '' || name.trim() === search.name
    const commit = () =>
      rename.mutate({ search, name: name.trim() }, { onSuccess: () => setName(null), onError: showFailure })
    return (
      <li className="flex items-center gap-2 py-1.5">
        <Input
          aria-label={t('New name of {name}', { name: search.name })}
          value={name}
          maxLength={NAME_MAX_LENGTH}
          autoFocus
          className="flex-1"
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // The surrounding form must not be submitted, because it saves the current search.
            event.preventDefault()
            if (!isUnchanged) commit()
          }}
        />
        <Button size="sm" onClick={() => setName(null)}>
          {t('Cancel')}
        </Button>
        <Button size="sm" onClick={commit} disabled={isUnchanged} isPending={rename.isPending}>
          {t('Rename')}
        </Button>
      </li>
    )
  }
  const handleForget = () =>
    forget.mutate(search, {
      onSuccess: () =>
        toast({
          title: t('Search “{name}” deleted', { name: search.name }),
          action: {
            label: t('Undo'),
            onSelect: () =>
              save.mutate({ name: search.name, query: search.query, isShared: search.is_shared }),
          },
        }),
      onError: showFailure,
    })
  return (
    <li className="flex min-h-11 items-center gap-1">
      <Link
        to={`?${withSaved(params, search.query)}`}
        onClick={onOpen}
        className="link min-w-0 flex-1 truncate"
      >
        <bdi className="block truncate">{search.name}</bdi>
      </Link>
      {canShare ? (
        <Switch
          label={t('Shared')}
          aria-label={t('Share {name}', { name: search.name })}
          checked={save.isPending ? !search.is_shared : search.is_shared}
          disabled={save.isPending}
          onChange={(event) =>
            save.mutate(
              { name: search.name, query: search.query, isShared: event.target.checked },
              { onError: showFailure },
            )
          }
        />
      ) : null}
      <IconButton
        label={t('Rename {name}', { name: search.name })}
        size="sm"
        onClick={() => setName(search.name)}
      >
        <Pencil size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <IconButton label={t('Delete {name}', { name: search.name })} size="sm" onClick={handleForget}>
        <Trash2 size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </li>
  )
}
