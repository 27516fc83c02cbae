import type { TableImport } from '@pegasus/contracts/inventory/csv'
import type { ReactNode } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { FORWARD_ARROW } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const CELL = 'px-3 py-2 text-start align-top'

const Table = ({ label, heads, children }: { label: string; heads: string[]; children: ReactNode }) => (
  // The region is focusable, so that the keyboard can scroll it.
  <div
    role="region"
    aria-label={label}
    tabIndex={0}
    className="max-h-80 overflow-auto rounded-control border border-line"
  >
    <table className="w-full text-label">
      <thead className="sticky top-0 bg-sunken text-caption text-ink-2">
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col" className={`${CELL} font-medium`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">{children}</tbody>
    </table>
  </div>
)

/** Lists the errors by row. Rows are numbered as in a spreadsheet. */
export function ImportErrors({ report: { errors, error_count: count } }: { report: TableImport }) {
  return (
    <>
      <AlertBox title={t('Correct these fields before you import the file.')}>
        {t('Correct the file and choose it again.')}
      </AlertBox>
      <Table label={t('Errors by row')} heads={[t('Row'), t('SKU'), t('Column'), t('Problem')]}>
        {errors.map(({ row, column, sku, message }) => (
          <tr key={`${row} ${column} ${message}`}>
            <td className={`${CELL} font-semibold`}>{row}</td>
            <td className={`${CELL} code`}>{sku ?? ''}</td>
            <td className={`${CELL} code`}>{column ?? ''}</td>
            <td className={`${CELL} wrap-anywhere`}>{serverText(message)}</td>
          </tr>
        ))}
      </Table>
      {count > errors.length ? <More count={count - errors.length} /> : null}
    </>
  )
}

const WORDS = { create: t('New'), update: t('Changed'), unchanged: t('Unchanged') } as const

/** Previews the changes before the import. */
export function ImportChanges({ report }: { report: TableImport }) {
  const { changes, created, updated } = report
  if (changes.length === 0)
    return <AlertBox tone="note">{t('The inventory already matches every row.')}</AlertBox>
  return (
    <>
      <Table label={t('Changes')} heads={[t('Row'), t('Change'), t('Item'), t('Before and after')]}>
        {changes.map(({ row, action, sku, name, fields }) => (
          <tr key={row}>
            <td className={CELL}>{row}</td>
            <td className={`${CELL} font-medium`}>{WORDS[action]}</td>
            <td className={CELL}>
              <bdi className="font-medium">{name}</bdi>
              {sku ? <span className="block text-caption text-ink-3 code">{sku}</span> : null}
            </td>
            <td className={`${CELL} wrap-anywhere`}>
              {fields.map((field) => (
                <span key={field.name} className="block">
                  <span className="text-ink-3 code">{field.name}</span>{' '}
                  {action === 'create' ? null : (
                    <>
                      <bdi>{field.before ?? t('empty')}</bdi> {FORWARD_ARROW}{' '}
                    </>
                  )}
                  <bdi className="font-medium">{field.after ?? t('empty')}</bdi>
                </span>
              ))}
            </td>
          </tr>
        ))}
      </Table>
      {created + updated > changes.length ? <More count={created + updated - changes.length} /> : null}
    </>
  )
}

const More = ({ count }: { count: number }) => (
  <p className="text-label text-ink-3">{t('and {count, plural, one {# more} other {# more}}', { count })}</p>
)
