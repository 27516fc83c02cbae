import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { FileArchive, Globe } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { formatTime } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { ArrivedLine } from './uploaded-line.tsx'
import { canRetryImport, countEntries, hasEnded, nameOfImport } from '../imports/import-details.ts'
import { useDropImports, useRetryImport } from '../imports/imports.queries.ts'
import { archiveText, phaseOfImport } from './tray-items.ts'
import { CrossButton, FailedPicture, LineAlert, LineNote, TrayLine, WaitingPicture } from './tray-line.tsx'
import { RetryButton } from './upload-line.tsx'
import { formatBytes, formatBytesOf } from '@/lib/format/bytes.ts'
import { formatTimeLeft, secondsLeft } from '../upload-progress.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

const SEE_FILES = t('See the files')
const SEE_WHY = t('See which and why')

interface ImportLineProps {
  known: ModelImport
  /** Time at which the server reported this state, in ms since 1970. */
  knownAtMs: number
  isFollowed: boolean
  modelAddress: (id: string) => string
  /** Shows the files of the archive. */
  onOpen: (id: string) => void
  onGone: () => void
}

/** The line of an import, with its progress on the server. */
export function ImportLine({ known, knownAtMs, isFollowed, modelAddress, onOpen, onGone }: ImportLineProps) {
  const name = nameOfImport(known)
  const retry = useRetryImport(known.id)
  const drop = useDropImports()
  const phase = phaseOfImport(known)
  if (phase === 'done' && known.stl_file_id)
    return <ArrivedLine {...{ id: known.stl_file_id, name, answered: null, isFollowed, modelAddress }} />
  const end = () => {
    if (hasEnded(known)) onGone()
    drop.mutate([known.id])
  }
  const isArchive = known.entries !== null
  const Icon = isArchive ? FileArchive : Globe
  return (
    <TrayLine
      name={name}
      isActive={phase === 'active'}
      picture={
        phase === 'failed' ? (
          <FailedPicture />
        ) : (
          <WaitingPicture icon={<Icon size={16} strokeWidth={1.6} aria-hidden />} />
        )
      }
      bar={<ImportBar known={known} name={name} />}
      actions={
        <>
          {phase === 'choosing' ? (
            <Button
              size="sm"
              aria-label={t('Choose files of {name}', { name })}
              onClick={() => onOpen(known.id)}
            >
              {t('Choose files')}
            </Button>
          ) : null}
          {canRetryImport(known) ? (
            <RetryButton name={name} isPending={retry.isPending} onRetry={() => retry.mutate()} />
          ) : null}
          {/* Uploading an archive takes a long time, so a waiting archive can be discarded only in the dialog that
              lists its files. */}
          {phase === 'choosing' ? null : (
            <CrossButton
              label={hasEnded(known) ? t('Dismiss {name}', { name }) : t('Cancel {name}', { name })}
              onClick={end}
            />
          )}
        </>
      }
    >
      {known.error && phase === 'failed' ? (
        <LineAlert>{known.error}</LineAlert>
      ) : (
        <ImportNote {...{ known, knownAtMs }} />
      )}
      {isArchive && phase !== 'choosing' ? (
        <button
          type="button"
          className="link text-caption"
          aria-label={`${phase === 'failed' ? SEE_WHY : SEE_FILES}: ${name}`}
          onClick={() => onOpen(known.id)}
        >
          {phase === 'failed' ? SEE_WHY : SEE_FILES}
        </button>
      ) : null}
    </TrayLine>
  )
}

function ImportBar({ known, name }: { known: ModelImport; name: string }) {
  const className = 'mt-1.5 mb-1'
  if (known.status === 'importing') {
    const { done, failed, chosen } = countEntries(known.entries ?? [])
    return (
      <Progress
        label={t('Import of {name}', { name })}
        value={done + failed}
        max={chosen}
        className={className}
      />
    )
  }
  if (known.status !== 'fetching' || known.total_bytes === null) return null
  return (
    <Progress
      label={t('Fetching {name}', { name })}
      value={known.received_bytes}
      max={known.total_bytes}
      className={className}
    />
  )
}

function ImportNote({ known, knownAtMs }: Pick<ImportLineProps, 'known' | 'knownAtMs'>) {
  const nowMs = useNow()
  if (known.status === 'fetching') return <FetchNote known={known} knownAtMs={knownAtMs} />
  const until =
    known.status === 'choosing' && known.expires_at
      ? t('kept until {untilText}', { untilText: untilText(known.expires_at, nowMs) })
      : null
  return <LineNote>{joinFacts([archiveText(known), until])}</LineNote>
}

/** Formats the time until which an archive is kept, which is a day at most: `14:20`, `14:20 tomorrow`. */
function untilText(moment: string, nowMs: number): string {
  const isToday = new Date(moment).toDateString() === new Date(nowMs).toDateString()
  return isToday ? formatTime(moment) : t('{moment} tomorrow', { moment: formatTime(moment) })
}

/**
 * Shows the progress of a download by the server. The speed is measured from the moment at which this page
 * started to watch.
 */
function FetchNote({ known, knownAtMs }: Pick<ImportLineProps, 'known' | 'knownAtMs'>) {
  const { received_bytes: received, total_bytes: total } = known
  const [seen, setSeen] = useState({ bytes: received, atMs: knownAtMs })
  // A smaller number means that a retry has started over.
  if (received < seen.bytes) setSeen({ bytes: received, atMs: knownAtMs })
  if (received === 0) return <LineNote>{t('Waiting for the remote server')}</LineNote>
  if (total === null)
    return <LineNote>{t('{received} so far', { received: formatBytes(received) })}</LineNote>
  const seconds = secondsLeft(received - seen.bytes, total - seen.bytes, knownAtMs - seen.atMs)
  return (
    <LineNote>
      {formatBytesOf(received, total)}
      {seconds === null ? null : ` · ${formatTimeLeft(seconds)}`}
    </LineNote>
  )
}
