import { PRINT_JOB_STATUSES, type PrintJobStatus } from '@pegasus/contracts/statuses'
import { type LucideIcon, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { MainAction } from '@/components/kit/main-action.tsx'
import { PageLinks } from '@/components/page-links.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'

interface QueueHeadProps {
  /** The status filter; null for all unfinished jobs. */
  status: PrintJobStatus | null
  onStatus: (status: PrintJobStatus | null) => void
  /** The counts of the queue. */
  summary: ReactNode
  /** The menu of saved searches. */
  saved: ReactNode
  /** Links to the other pages of the queue. */
  links: readonly { to: string; label: string; Icon: LucideIcon }[]
  queries: readonly { refetch: () => Promise<unknown> }[]
  /** Called to add a job. Null for people who cannot add jobs. */
  onAdd: (() => void) | null
}

/** The line above the queue: its counts, its status filter, its other pages and its main action. */
export const QueueHead = ({ status, onStatus, summary, saved, links, queries, onAdd }: QueueHeadProps) => (
  <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 phone:mb-2">
    <h1 className="text-page font-[620] phone:sr-only">{t('Print Queue')}</h1>
    <p
      role="status"
      className="min-h-5 text-ink-3 phone:order-1 phone:min-h-4 phone:w-full phone:text-caption"
    >
      {summary}
    </p>
    <div className="ms-auto flex items-center gap-2 sm:flex-wrap sm:justify-end phone:w-full">
      <Select
        aria-label={t('Status')}
        value={status ?? ''}
        onChange={(event) => onStatus(PRINT_JOB_STATUSES.find((each) => each === event.target.value) ?? null)}
        className="w-40 phone:min-w-0 phone:flex-1"
      >
        <option value="">{t('Unfinished')}</option>
        <Options of={PRINT_JOB_STATUSES.map((each) => ({ value: each, label: STATUS_LABELS[each] }))} />
      </Select>
      {saved}
      <PageLinks menuLabel={t('More about the queue')} links={links} queries={queries} />
      {onAdd ? <MainAction label={t('Add Job')} icon={<Plus {...ICON} />} onClick={onAdd} /> : null}
    </div>
  </div>
)
