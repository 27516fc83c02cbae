import { formatNumberOf } from '@/lib/format/format.ts'
import { AlertBox } from '../ui/feedback/alert-box.tsx'

interface FailedRowsProps {
  /** The noun for one row, for example `item`. */
  one: string
  failed: readonly { id: string; detail: string }[]
  nameOf: (id: string) => string
  className?: string
}

/** Lists the rows for which a change failed, each with its reason. Renders nothing if there are none. */
export const FailedRows = ({ one, failed, nameOf, className = '' }: FailedRowsProps) =>
  failed.length === 0 ? null : (
    <div className={className}>
      <AlertBox title={`${formatNumberOf(failed.length, one)} not changed`}>
        <ul className="mt-1 max-h-40 overflow-y-auto">
          {failed.map(({ id, detail }) => (
            <li key={id}>
              <bdi className="font-medium">{nameOf(id)}</bdi>: {detail}
            </li>
          ))}
        </ul>
      </AlertBox>
    </div>
  )
