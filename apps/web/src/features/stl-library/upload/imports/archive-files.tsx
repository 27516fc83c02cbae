import type { ArchiveEntry } from '@pegasus/contracts/stl-library/imports'
import { Check, CircleAlert, Clock3, Folder, Minus } from 'lucide-react'
import { memo, type ReactNode, useCallback, useMemo } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Tag } from '@/components/ui/display/badge.tsx'
import { AlreadyThere } from '../duplicate-note.tsx'
import { type ArchiveFolder, foldersOf, whyNotChoosable } from './import-details.ts'
import { formatBytes } from '@/lib/format/bytes.ts'
import { t } from '@/lib/i18n/messages.ts'

interface ArchiveFilesProps {
  entries: readonly ArchiveEntry[]
  /** The selection, while files can be selected. */
  choice: {
    chosen: ReadonlySet<number>
    /** Changes the selection. Must be the same function in every render. */
    onChange: (change: (chosen: ReadonlySet<number>) => ReadonlySet<number>) => void
  } | null
  modelAddress: (id: string) => string
  /** Called when the link to a model is followed. */
  onLeave: () => void
}

const ROW =
  'flex min-h-10 items-center gap-3 px-6 py-1.5 [contain-intrinsic-size:auto_41px] [content-visibility:auto] phone:px-4'

/**
 * Lists the files of an archive by folder. They have checkboxes while files can be selected, and results afterwards.
 */
export function ArchiveFiles({ entries, choice, modelAddress, onLeave }: ArchiveFilesProps) {
  const folders = useMemo(() => foldersOf(entries), [entries])
  const onChange = choice?.onChange
  const setMany = useCallback<SetMany>(
    (indexes, isChosen) => {
      onChange?.((chosen) => {
        const changed = new Set(chosen)
        for (const index of indexes) {
          if (isChosen) changed.add(index)
          else changed.delete(index)
        }
        return changed
      })
    },
    [onChange],
  )
  return folders.map((folder) => (
    <section key={folder.path} aria-label={folder.path || t('Not in a folder')}>
      {folder.path === '' ? null : (
        <FolderHead folder={folder} chosen={choice?.chosen ?? null} onSet={setMany} />
      )}
      <ul className="divide-y divide-line">
        {folder.entries.map(({ entry, name }) => (
          <EntryRow
            key={entry.index}
            entry={entry}
            name={name}
            isChosen={choice ? choice.chosen.has(entry.index) : null}
            onSet={setMany}
            modelAddress={modelAddress}
            onLeave={onLeave}
          />
        ))}
      </ul>
    </section>
  ))
}

type SetMany = (indexes: readonly number[], isChosen: boolean) => void

interface FolderHeadProps {
  folder: ArchiveFolder
  chosen: ReadonlySet<number> | null
  onSet: SetMany
}

function FolderHead({ folder: { path, entries }, chosen, onSet }: FolderHeadProps) {
  const models = entries.filter(({ entry }) => entry.format !== null).map(({ entry }) => entry.index)
  const areAllChosen = chosen !== null && models.every((index) => chosen.has(index))
  return (
    <div className="flex min-h-9 items-center gap-2 border-y border-line bg-sunken px-6 phone:px-4">
      <Folder size={14} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />
      <h3 className="min-w-0 flex-1 truncate text-label font-medium text-ink-2" title={path}>
        <bdi className="block truncate">{path}</bdi>
      </h3>
      {chosen && models.length > 0 ? (
        <Button
          size="sm"
          variant="ghost"
          aria-label={t('{areAllChosen} of {path}', {
            areAllChosen: areAllChosen ? t('Select none') : t('Select all'),
            path,
          })}
          onClick={() => onSet(models, !areAllChosen)}
        >
          {areAllChosen ? t('None') : t('All')}
        </Button>
      ) : null}
    </div>
  )
}

interface EntryRowProps {
  entry: ArchiveEntry
  name: string
  /** Whether the file is selected; null if files can no longer be selected. */
  isChosen: boolean | null
  onSet: SetMany
  modelAddress: ArchiveFilesProps['modelAddress']
  onLeave: ArchiveFilesProps['onLeave']
}

const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { entry, name, isChosen, onSet, modelAddress, onLeave } = props
  const reason = whyNotChoosable(entry)
  const label = <bdi className="wrap-anywhere">{name}</bdi>
  if (reason)
    return (
      <li className={`${ROW} text-ink-3`}>
        <Minus size={16} strokeWidth={1.75} className="shrink-0" aria-hidden />
        <span className="min-w-0 flex-1">
          {label}
          <span className="block text-caption">{reason}</span>
        </span>
        <Size bytes={entry.size} />
      </li>
    )
  const known = entry.duplicate_of ? (
    <span className="block text-caption text-ink-3">
      <AlreadyThere id={entry.duplicate_of} modelAddress={modelAddress} onLeave={onLeave} />
    </span>
  ) : null
  if (isChosen !== null)
    return (
      <li className={ROW}>
        <div className="min-w-0 flex-1">
          <Checkbox
            label={label}
            className="gap-3"
            checked={isChosen}
            onChange={({ target }) => onSet([entry.index], target.checked)}
          />
          {known}
        </div>
        <Tag>{entry.format?.toUpperCase()}</Tag>
        <Size bytes={entry.size} />
      </li>
    )
  const { icon, note } = outcomeOf(entry)
  return (
    <li className={ROW}>
      {icon}
      <span className="min-w-0 flex-1">
        {entry.stl_file_id ? (
          <Link to={modelAddress(entry.stl_file_id)} className="link" onClick={onLeave}>
            {label}
          </Link>
        ) : (
          label
        )}
        {note}
        {known}
      </span>
      <Tag>{entry.format?.toUpperCase()}</Tag>
      <Size bytes={entry.size} />
    </li>
  )
})

const Size = ({ bytes }: { bytes: number }) => (
  <span className="w-18 shrink-0 text-end text-caption text-ink-3">{formatBytes(bytes)}</span>
)

const ICON = { size: 16, strokeWidth: 1.75, role: 'img' } as const

function outcomeOf({ status, error }: ArchiveEntry): { icon: ReactNode; note: ReactNode } {
  if (status === 'done')
    return {
      icon: <Check {...ICON} className="shrink-0 text-green-ink" aria-label={t('Added')} />,
      note: null,
    }
  if (status === 'failed')
    return {
      icon: <CircleAlert {...ICON} className="shrink-0 text-red-ink" aria-label={t('Failed')} />,
      note: <span className="block text-caption text-red-ink">{error ?? t('It could not be added.')}</span>,
    }
  if (status === 'skipped')
    return {
      icon: <Minus {...ICON} className="shrink-0 text-ink-3" aria-label={t('Left out')} />,
      note: <span className="block text-caption text-ink-3">{t('Left out')}</span>,
    }
  return { icon: <Clock3 {...ICON} className="shrink-0 text-ink-3" aria-label={t('Waiting')} />, note: null }
}
