import { STATUS_DISPLAY } from '@pegasus/contracts/statuses'
import { TrashView } from '@/components/trash-view.tsx'
import { formatNumberOf } from '@/lib/format/format.ts'
import { deletedJobsQuery } from '../print-queue.queries.ts'
import { useJobSteps } from '../steps/use-job-steps.ts'

/** Lists the print jobs deleted in the last 30 days and restores them. */
export function JobTrash({ backTo }: { backTo: string }) {
  const { restore } = useJobSteps()
  return (
    <TrashView
      query={deletedJobsQuery}
      list={{ to: backTo, name: 'Print Queue', one: 'print job' }}
      note="with their history"
      columns={[
        {
          id: 'status',
          head: 'Status',
          track: '130px',
          from: 760,
          cell: ({ status }) => STATUS_DISPLAY[status].label,
        },
      ]}
      nameOf={({ label_code: label }) => label}
      pictureOf={({ stl_thumbnail_path: src, color_hex: tint }) => ({ src, tint })}
      row={({ label_code: label, inventory_item_name: name, quantity }) => (
        <div className="min-w-0">
          <p className="truncate font-medium" title={name}>
            <bdi>{name}</bdi>
          </p>
          <p className="truncate text-caption text-ink-3">
            <span className="code">{label}</span> · {formatNumberOf(quantity, 'piece')}
          </p>
        </div>
      )}
      onRestore={restore}
    />
  )
}
