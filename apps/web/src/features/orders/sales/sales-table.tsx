import type { SalesFigure, SalesRow } from '@pegasus/contracts/orders/sales'
import { ChevronRight } from 'lucide-react'
import { Card } from '@/components/ui/display/card.tsx'
import { cx } from '@/lib/class-names.ts'
import type { SalesView } from '../orders-address.ts'
import { FIGURE_LABELS, GROUP_LABELS, formatFigure, formatMarginShare } from './sales-labels.ts'
import { SoldLines } from './sold-lines.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** The row and the figure whose lines are shown. */
export type OpenFigure = Pick<SalesView, 'row' | 'figure'>

interface SalesTableProps {
  rows: readonly SalesRow[]
  view: SalesView
  onOpen: (open: OpenFigure | null) => void
}

// `at least $3,089.08` takes two lines on a phone.
const NUMBER = 'px-3 py-1.5 text-end whitespace-nowrap tabular-nums phone:px-1.5 phone:whitespace-normal'

/** The columns. A phone has room for the amounts of a margin: revenue, cost and margin. */
const COLUMNS: readonly { figure: SalesFigure; isWide: boolean }[] = [
  { figure: 'orders', isWide: true },
  { figure: 'pieces', isWide: true },
  { figure: 'returns', isWide: true },
  { figure: 'revenue', isWide: false },
  { figure: 'shipping_income', isWide: true },
  { figure: 'cost', isWide: false },
  { figure: 'fees', isWide: true },
  { figure: 'postage', isWide: true },
  { figure: 'margin', isWide: false },
]

/** Lists the rows of the report. Each figure opens the lines that make it up. */
export function SalesTable({ rows, view, onOpen }: SalesTableProps) {
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-label">
        <thead className="border-b border-line text-ink-3">
          <tr>
            <th scope="col" className="px-4 py-2 text-start font-medium">
              {GROUP_LABELS[view.by]}
            </th>
            {COLUMNS.map(({ figure, isWide }) => (
              <th
                key={figure}
                scope="col"
                className={cx(NUMBER, 'font-medium last:pe-4', isWide && 'phone:hidden')}
              >
                {FIGURE_LABELS[figure]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.flatMap((row) => {
            const isOpen = row.key === view.row
            const toggle = (figure: SalesFigure) =>
              onOpen(isOpen && view.figure === figure ? null : { row: row.key, figure })
            return [
              <tr key={row.key} className="border-t border-line first:border-t-0 hover:bg-hover">
                <th scope="row" className="px-4 py-1.5 text-start font-normal phone:px-3">
                  <button
                    type="button"
                    aria-expanded={isOpen}
                    className="flex min-h-8 items-center gap-1.5 text-start font-medium hover:underline phone:min-h-11"
                    onClick={() => onOpen(isOpen ? null : { row: row.key, figure: 'revenue' })}
                  >
                    <ChevronRight
                      size={14}
                      strokeWidth={1.75}
                      aria-hidden
                      className={cx('shrink-0 transition-transform', isOpen && 'rotate-90')}
                    />
                    <bdi className="min-w-20 wrap-anywhere phone:min-w-17">{row.label}</bdi>
                  </button>
                </th>
                {COLUMNS.map(({ figure, isWide }) => (
                  <td key={figure} className={cx(NUMBER, 'last:pe-4', isWide && 'phone:hidden')}>
                    <FigureButton
                      figure={figure}
                      of={row.label}
                      row={row}
                      isOpen={isOpen && view.figure === figure}
                      onClick={() => toggle(figure)}
                    />
                    {figure === 'margin' ? (
                      <span className="block text-caption text-ink-3">{formatMarginShare(row)}</span>
                    ) : null}
                  </td>
                ))}
              </tr>,
              isOpen ? (
                <tr key={`${row.key} lines`}>
                  <td colSpan={COLUMNS.length + 1} className="bg-sunken px-4 py-2">
                    <SoldLines view={view} of={row.label} figures={row} onClose={() => onOpen(null)} />
                  </td>
                </tr>
              ) : null,
            ]
          })}
        </tbody>
      </table>
    </Card>
  )
}

interface FigureButtonProps {
  figure: SalesFigure
  /** Name of the row that the figure belongs to. */
  of: string
  row: Pick<SalesRow, SalesFigure>
  isOpen: boolean
  className?: string
  onClick: () => void
}

/** A figure as a button that opens its lines. */
export const FigureButton = ({ figure, of, row, isOpen, className, onClick }: FigureButtonProps) => {
  const text = formatFigure(figure, row)
  return (
    <button
      type="button"
      aria-label={t('{figure} of {of}: {text}', { figure: FIGURE_LABELS[figure], of, text })}
      aria-expanded={isOpen}
      onClick={onClick}
      className={cx(
        'min-h-6 rounded-badge text-end decoration-line-2 underline-offset-4 hover:underline phone:min-h-9',
        isOpen && 'font-semibold underline',
        figure === 'margin' && row.margin < 0 && 'text-red-ink',
        className,
      )}
    >
      {text}
    </button>
  )
}
