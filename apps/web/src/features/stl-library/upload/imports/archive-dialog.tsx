import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { errorMessage } from '@/lib/http/api-error.ts'
import { ArchiveFiles } from './archive-files.tsx'
import { canRetryImport, countEntries, nameOfImport } from './import-details.ts'
import { importsQuery, useChooseFromArchive, useDropImports, useRetryImport } from './imports.queries.ts'
import { archiveText } from '../tray/tray-items.ts'
import { formatBytes } from '@/lib/format/bytes.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

interface ArchiveDialogProps {
  id: string
  modelAddress: (id: string) => string
  onClose: () => void
}

/** Lists the files of an archive: first to select some, and then with the result of each. */
export function ArchiveDialog({ id, modelAddress, onClose }: ArchiveDialogProps) {
  const imports = useQuery(importsQuery)
  const known = imports.data?.find((each) => each.id === id)
  if (known?.entries && known.status === 'choosing')
    return <ChooseDialog {...{ known, entries: known.entries, modelAddress, onClose }} />
  if (known?.entries) return <ResultDialog {...{ known, entries: known.entries, modelAddress, onClose }} />
  return (
    <Dialog isOpen onClose={onClose} title={known ? nameOfImport(known) : t('Archive')}>
      {imports.isPending ? <Skeleton className="h-40" /> : <p>{t('This archive no longer exists.')}</p>}
    </Dialog>
  )
}

interface EntriesProps extends Omit<ArchiveDialogProps, 'id'> {
  known: ModelImport
  entries: NonNullable<ModelImport['entries']>
}

function ChooseDialog({ known, entries, modelAddress, onClose }: EntriesProps) {
  const models = entries.filter(({ format }) => format !== null)
  // Duplicates are rarely wanted, so they are not selected by default.
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(models.filter(({ duplicate_of }) => !duplicate_of).map(({ index }) => index)),
  )
  const choose = useChooseFromArchive(known.id)
  const drop = useDropImports()
  const name = nameOfImport(known)
  const picked = models.filter(({ index }) => chosen.has(index))
  const handleSubmit = () => choose.mutate(picked.map(({ index }) => index))
  return (
    <Dialog
      isOpen
      isFlush
      onClose={onClose}
      title={<>{rich('Choose from {name}', { name: <bdi>{name}</bdi> })}</>}
      description={t(
        'The chosen files are added to the library with the details that you entered for the archive.',
      )}
      onSubmit={handleSubmit}
      error={choose.error && errorMessage(choose.error, t('The files could not be added. Please try again.'))}
      footer={
        <>
          <Button
            variant="ghost"
            isPending={drop.isPending}
            onClick={() => drop.mutate([known.id], { onSuccess: onClose })}
          >
            {t('Discard archive')}
          </Button>
          <Button onClick={onClose}>{t('Later')}</Button>
          <Button type="submit" variant="primary" isPending={choose.isPending}>
            {picked.length > 0
              ? t('Add {picked, plural, one {# model} other {# models}}', { picked: picked.length })
              : t('Add models')}
          </Button>
        </>
      }
    >
      <div className="sticky top-0 z-1 flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-6 py-2 phone:px-4">
        <p role="status" className="flex-1 text-ink-2">
          {t('{picked} of {models, plural, one {# model} other {# models}} · {picked2}', {
            picked: picked.length,
            models: models.length,
            picked2: formatBytes(picked.reduce((sum, { size }) => sum + size, 0)),
          })}
        </p>
        <Button size="sm" onClick={() => setChosen(new Set(models.map(({ index }) => index)))}>
          {t('Select all')}
        </Button>
        <Button size="sm" onClick={() => setChosen(new Set())}>
          {t('Select none')}
        </Button>
      </div>
      <ArchiveFiles
        entries={entries}
        choice={{ chosen, onChange: setChosen }}
        modelAddress={modelAddress}
        onLeave={onClose}
      />
    </Dialog>
  )
}

function ResultDialog({ known, entries, modelAddress, onClose }: EntriesProps) {
  const retry = useRetryImport(known.id)
  const drop = useDropImports()
  const name = nameOfImport(known)
  const { done, failed, chosen } = countEntries(entries)
  const isAtWork = known.status === 'importing'
  return (
    <Dialog
      isOpen
      isFlush
      onClose={onClose}
      title={<bdi>{name}</bdi>}
      error={known.error}
      footer={
        <>
          {isAtWork ? (
            <Button variant="ghost" isPending={drop.isPending} onClick={() => drop.mutate([known.id])}>
              {t('Cancel import')}
            </Button>
          ) : null}
          {canRetryImport(known) ? (
            <Button isPending={retry.isPending} onClick={() => retry.mutate()}>
              {t('Try {failed, plural, one {# failed file} other {# failed files}} again', { failed })}
            </Button>
          ) : null}
          <Button variant="primary" onClick={onClose}>
            {isAtWork ? t('Continue in background') : t('Done')}
          </Button>
        </>
      }
    >
      <div className="sticky top-0 z-1 border-b border-line bg-surface px-6 py-2 phone:px-4">
        {isAtWork ? (
          <Progress
            label={t('Import of {name}', { name })}
            value={done + failed}
            max={chosen}
            className="mb-1.5"
          />
        ) : null}
        <p role="status" className="text-ink-2">
          {archiveText(known)}
        </p>
      </div>
      <ArchiveFiles entries={entries} choice={null} modelAddress={modelAddress} onLeave={onClose} />
    </Dialog>
  )
}
