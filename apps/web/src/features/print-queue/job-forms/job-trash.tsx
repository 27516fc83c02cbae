import { TrashView } from '@/components/trash-view.tsx'
import { deletedJobsQuery } from '../print-queue.queries.ts'
import { useJobSteps } from '../steps/use-job-steps.ts'
import { rich, t } from '@/lib/i18n/messages.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'

/** Lists the print jobs deleted in the last 30 days and restores them. */
export function JobTrash({ backTo }: { backTo: string }) {
  const { restore } = useJobSteps()
  return (
    <TrashView
      query={deletedJobsQuery}
      list={{ to: backTo, name: t('Print Queue'), one: 'print job' }}
      note={t('with their history')}
      columns={[
        {
          id: 'status',
          head: t('Status'),
          track: '130px',
          from: 760,
          cell: ({ status }) => STATUS_LABELS[status],
        },
      ]}
      nameOf={({ label_code: label }) => label}
      pictureOf={({ stl_thumbnail_path: src, color_hex: tint }) => ({ src, tint })}
      row={({ label_code: label, inventory_item_name: name, quantity }) => (
        <div className="min-w-0">
          <p className="truncate font-medium" title={name}>
            <bdi className="block truncate">{name}</bdi>
          </p>
          <p className="truncate text-caption text-ink-3">
            {rich('{label} · {quantity, plural, one {# piece} other {# pieces}}', {
              label: <span className="code">{label}</span>,
              quantity,
            })}
          </p>
        </div>
      )}
      onRestore={restore}
    />
  )
}
