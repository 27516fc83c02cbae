import { AlertBox } from '../ui/feedback/alert-box.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { type Noun, NOUNS } from '@/lib/i18n/nouns.ts'

interface FailedRowsProps {
  /** Noun for the rows: `order`. */
  one: Noun
  failed: readonly { id: string; detail: string }[]
  nameOf: (id: string) => string
  className?: string
}

/** Lists the rows for which a change failed, each with its reason. Renders nothing if there are none. */
export const FailedRows = ({ one, failed, nameOf, className = '' }: FailedRowsProps) =>
  failed.length === 0 ? null : (
    <div className={className}>
      <AlertBox title={t('{failed} not changed', { failed: NOUNS[one].count(failed.length) })}>
        <ul className="mt-1 max-h-40 overflow-y-auto">
          {failed.map(({ id, detail }) => (
            <li key={id}>
              <bdi className="font-medium">{nameOf(id)}</bdi>: {serverText(detail)}
            </li>
          ))}
        </ul>
      </AlertBox>
    </div>
  )
