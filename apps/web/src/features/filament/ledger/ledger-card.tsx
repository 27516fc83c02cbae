import { hasRole } from '@pegasus/contracts/roles'
import type { SpoolEntry, SpoolEntryKind } from '@pegasus/contracts/filament/ledger'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ListError } from '@/components/list-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatDateTime, formatGrams, formatTotal } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useList } from '@/lib/http/use-list.ts'
import { UndoButton } from '@/components/ui/actions/undo-button.tsx'
import { ledgerQuery } from '../filament.queries.ts'
import { detailOf, formatSigned } from './ledger-text.ts'
import { useUndoEntry } from './use-book-entry.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

const KINDS: Readonly<Record<SpoolEntryKind, string>> = {
  open: t('Opening balance'),
  use: t('Used'),
  weigh: t('Weighed'),
  correct: t('Corrected'),
  waste: t('Wasted'),
}

interface LedgerCardProps {
  spoolId: string
  jobAddress: (id: string) => string
}

/** The ledger of a spool, newest entry first. */
export function LedgerCard({ spoolId, jobAddress }: LedgerCardProps) {
  const { list, items, count, isLoading, paging } = useList(ledgerQuery(spoolId))
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const hasUndo = canChange && items.some(({ can_undo }) => can_undo)
  return (
    <Card title={t('Ledger')} aside={count ? formatTotal(count) : null}>
      <ListError name={t('The ledger')} list={list} />
      {isLoading ? <SkeletonLines label={t('Loading the ledger')} /> : null}
      <ol className="divide-y divide-line">
        {items.map((entry) => (
          <Entry
            key={entry.id}
            entry={entry}
            action={
              hasUndo ? (
                <span className="w-20 text-end phone:w-auto">
                  {entry.can_undo ? <UndoEntry entry={entry} /> : null}
                </span>
              ) : null
            }
            jobAddress={jobAddress}
          />
        ))}
      </ol>
      {list.hasNextPage ? (
        <p className="border-t border-line p-3">
          <Button size="sm" isPending={list.isFetchingNextPage} onClick={() => void paging.onMore()}>
            {t('Show older entries')}
          </Button>
        </p>
      ) : null}
    </Card>
  )
}

interface EntryProps {
  entry: SpoolEntry
  action: ReactNode
  jobAddress: (id: string) => string
}

function Entry({ entry, action, jobAddress }: EntryProps) {
  const { kind, undoes_id, is_undone, delta_grams, after_grams, reason, print_job_id } = entry
  const title = undoes_id ? t('Undone') : KINDS[kind]
  const detail = detailOf(entry)
  return (
    <li className="flex items-center gap-x-4 gap-y-1 px-4 py-2.5 phone:flex-wrap">
      <div className="min-w-0 flex-1 phone:basis-3/5">
        <p className={cx('font-medium', is_undone && 'text-ink-3 line-through')}>
          {print_job_id
            ? rich('{title} for {job}', {
                title,
                job: (
                  <Link to={jobAddress(print_job_id)} className="link code">
                    {entry.print_job_label ?? t('a print job')}
                  </Link>
                ),
              })
            : title}
          {detail ? <span className="font-normal text-ink-3">, {detail}</span> : null}
        </p>
        {reason && reason !== title ? (
          <p className="text-label text-ink-2 wrap-anywhere" dir="auto">
            {reason}
          </p>
        ) : null}
        <p className="text-caption text-ink-3">
          <time dateTime={entry.last_at}>{formatDateTime(entry.last_at)}</time> ·{' '}
          <bdi>{entry.actor.name}</bdi>
        </p>
      </div>
      <p className="text-end">
        <span className={cx('block font-semibold', is_undone && 'text-ink-3 line-through')}>
          {formatSigned(delta_grams)}
        </span>
        <span className="block text-caption whitespace-nowrap text-ink-3">
          {t('{after_grams} left', { after_grams: formatGrams(after_grams) })}
        </span>
      </p>
      {action}
    </li>
  )
}

function UndoEntry({ entry }: { entry: SpoolEntry }) {
  const undo = useUndoEntry()
  return (
    <UndoButton isPending={undo.isPending} onClick={() => undo.mutate(entry.id)}>
      {t('Undo')}
    </UndoButton>
  )
}
