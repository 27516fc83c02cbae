import {
  KEPT_MONEY,
  MAX_SALES,
  type Sale,
  type SalesFigure,
  type SalesRow,
  listSales,
} from '@pegasus/contracts/orders/sales'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, X } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { ListError } from '@/components/list-error.tsx'
import { toastError } from '@/components/toast-error.ts'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { saveFile } from '@/lib/browser/save-file.ts'
import { formatDateTime } from '@/lib/format/format.ts'
import { callForBytes } from '@/lib/http/api.ts'
import { salesLinesQuery, salesLinesQueryOf } from '../orders.queries.ts'
import { itemsOfSkuAddress, type SalesView, withOrder } from '../orders-address.ts'
import { AMOUNT_FIGURES, FIGURE_LABELS, formatFigure, productText } from './sales-labels.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The figures of a line: all figures of the report except the number of orders. */
const COLUMNS = ['pieces', 'returns', ...AMOUNT_FIGURES] as const

const NUMBER = 'py-1.5 ps-3 text-end whitespace-nowrap tabular-nums'

interface SoldLinesProps {
  view: SalesView
  /** Name of the row that the lines belong to: `November 2026`, `All months`. */
  of: string
  /** The row's figures in the report. */
  figures: Pick<SalesRow, SalesFigure>
  onClose: () => void
}

/** Lists the lines that make up a figure, newest first, and their sum. */
export function SoldLines({ view, of, figures, onClose }: SoldLinesProps) {
  const query = useQuery(salesLinesQuery(view))
  const figure = view.figure ?? 'revenue'
  const lines = query.data
  return (
    <section aria-label={`${FIGURE_LABELS[figure]}, ${of}`}>
      <div className="flex min-h-9 items-center gap-2">
        <p className="me-auto min-w-0 text-label">
          <span className="font-semibold">{FIGURE_LABELS[figure]}</span>, <bdi>{of}</bdi>{' '}
          <span className="text-ink-3">
            {lines?.length === MAX_SALES
              ? t('{lines, plural, one {# line} other {# lines}}, the latest ones; the CSV contains all', {
                  lines: lines.length,
                })
              : lines && t('{lines, plural, one {# line} other {# lines}}', { lines: lines.length })}
          </span>
        </p>
        <LinesCsvButton view={view} />
        <IconButton label={t('Close the lines')} size="sm" onClick={onClose}>
          <X {...ICON} />
        </IconButton>
      </div>
      {query.isError ? <ListError name={t('The lines')} list={query} /> : null}
      {!lines && !query.isError ? <Skeleton className="h-8" /> : null}
      {lines?.length === 0 ? (
        <p className="pb-1.5 text-label text-ink-2">{t('There are no lines.')}</p>
      ) : null}
      {lines && lines.length > 0 ? <LinesTable lines={lines} figure={figure} figures={figures} /> : null}
    </section>
  )
}

/** Returns the kind of a line without pieces: the postage of a parcel, or a correction of discount and fees. */
function kindOf({ name, pieces, returns, postage, shipping_income: shipping }: Sale): string {
  if (pieces !== 0 || returns !== 0 || name === KEPT_MONEY) return ''
  return `${postage !== 0 || shipping !== 0 ? t('postage') : t('correction')} · `
}

interface LinesTableProps {
  lines: readonly Sale[]
  figure: SalesFigure
  figures: Pick<SalesRow, SalesFigure>
}

function LinesTable({ lines, figure, figures }: LinesTableProps) {
  const [params] = useSearchParams()
  const orderAddress = (id: string) => `?${withOrder(params, id)}`
  // On a phone, only this figure has room.
  const asked = COLUMNS.find((column) => column === figure) ?? 'pieces'
  const look = (column: (typeof COLUMNS)[number]) =>
    column === asked ? 'font-semibold' : 'text-ink-2 phone:hidden'
  const isComplete = figure === 'revenue' || figure === 'margin'
  const sumTextOf = (column: (typeof COLUMNS)[number]): string => {
    if (isComplete || column === figure) return formatFigure(column, figures)
    // The listed lines are only a part of the row's other figures, so a sum of them would contradict the row.
    if (column !== asked) return ''
    return formatFigure(column, { [column]: lines.reduce((sum, line) => sum + line[column], 0) })
  }
  const cells = (textOf: (column: (typeof COLUMNS)[number]) => string) =>
    COLUMNS.map((column) => (
      <td key={column} className={`${NUMBER} ${look(column)}`}>
        {textOf(column)}
      </td>
    ))
  return (
    <div className="max-h-96 overflow-y-auto">
      <table className="w-full text-label">
        <thead className="sticky top-0 bg-sunken text-caption text-ink-3">
          <tr>
            <th scope="col" className="py-1.5 text-start font-medium">
              {t('Line')}
            </th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className={`${NUMBER} font-medium ${look(column)}`}>
                {FIGURE_LABELS[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <tr key={index} className="border-t border-line align-top">
              <th scope="row" className="py-1.5 text-start font-normal">
                <bdi className="font-medium wrap-anywhere">{productText(line.name)}</bdi>
                <span className="block text-caption text-ink-3">
                  {formatDateTime(line.at)} · {kindOf(line)}
                  <Link to={orderAddress(line.order_id)} className="link code">
                    {line.order_number}
                  </Link>
                  {line.pieces_without_cost > 0 && line.sku ? (
                    <>
                      {' · '}
                      <Link to={itemsOfSkuAddress(line.sku)} className="link">
                        {t('Enter its weight and print time')}
                      </Link>
                    </>
                  ) : null}
                </span>
              </th>
              {cells((column) => formatFigure(column, line))}
            </tr>
          ))}
        </tbody>
        <tfoot className="sticky bottom-0 border-t border-line-2 bg-sunken">
          <tr>
            <th scope="row" className="py-1.5 text-start font-medium">
              {t('Sum')}
            </th>
            {cells(sumTextOf)}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

function LinesCsvButton({ view }: { view: SalesView }) {
  const save = useMutation({
    mutationFn: async () => {
      const answer = await callForBytes(listSales, {
        query: salesLinesQueryOf(view),
        headers: { Accept: 'text/csv' },
      })
      saveFile(await answer.blob(), `pegasus-ops-sales-lines.csv`)
    },
    onError: toastError,
  })
  return (
    <Button
      variant="ghost"
      size="sm"
      icon={<Download {...ICON} />}
      isPending={save.isPending}
      onClick={() => save.mutate()}
      aria-label={t('Lines as CSV')}
    >
      {t('CSV')}
    </Button>
  )
}
