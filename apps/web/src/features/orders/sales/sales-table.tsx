import type { SalesRow } from '@pegasus/contracts/orders/sales'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { ListError } from '@/components/list-error.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatCount, formatDateTime, formatMoney, formatPercent } from '@/lib/format/format.ts'
import { salesLinesQuery } from '../orders.queries.ts'
import { type SalesView, withOrder, withSalesView } from '../orders-address.ts'

interface SalesTableProps {
  rows: readonly SalesRow[]
  view: SalesView
  /** Head of the first column. */
  heading: string
  /** Opens a row, or with an empty text none. */
  onOpen: (row: string) => void
}

const NUMBER = 'px-3 py-2.5 text-right whitespace-nowrap tabular-nums'
/** Columns that a phone has no room for. */
const WIDE = 'phone:hidden'

/** The rows of the report, each with a bar and with the shipped lines behind it. */
export function SalesTable({ rows, view, heading, onOpen }: SalesTableProps) {
  const most = Math.max(...rows.map(({ revenue }) => revenue), 1)
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-label">
        <thead className="border-b border-line text-ink-3">
          <tr>
            <th scope="col" className="px-4 py-2 text-left font-medium">
              {heading}
            </th>
            <th scope="col" className={`${NUMBER} ${WIDE} font-medium`}>
              Orders
            </th>
            <th scope="col" className={`${NUMBER} font-medium`}>
              Pieces
            </th>
            <th scope="col" className={`${NUMBER} ${WIDE} font-medium`}>
              Returns
            </th>
            <th scope="col" className={`${NUMBER} font-medium`}>
              Revenue
            </th>
            <th scope="col" className={`${NUMBER} ${WIDE} font-medium`}>
              Cost
            </th>
            <th scope="col" className={`${NUMBER} ${WIDE} font-medium`}>
              Fees
            </th>
            <th scope="col" className={`${NUMBER} pr-4 font-medium`}>
              Margin
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const isOpen = row.key === view.row
            return [
              <tr key={row.key} className="border-t border-line first:border-t-0">
                <th scope="row" className="px-4 py-2 text-left font-normal">
                  <button
                    type="button"
                    aria-expanded={isOpen}
                    className="flex min-h-8 items-center gap-1.5 text-left font-medium hover:underline"
                    onClick={() => onOpen(isOpen ? '' : row.key)}
                  >
                    <ChevronRight
                      size={14}
                      strokeWidth={1.75}
                      aria-hidden
                      className={cx('shrink-0 transition-transform', isOpen && 'rotate-90')}
                    />
                    <bdi className="wrap-anywhere">{row.label}</bdi>
                  </button>
                  <Bar row={row} most={most} />
                </th>
                <td className={`${NUMBER} ${WIDE}`}>{formatCount(row.orders)}</td>
                <td className={NUMBER}>{formatCount(row.pieces)}</td>
                <td className={`${NUMBER} ${WIDE}`}>{formatCount(row.returns)}</td>
                <td className={`${NUMBER} font-medium`}>{formatMoney(row.revenue)}</td>
                <td className={`${NUMBER} ${WIDE}`}>{formatMoney(row.cost)}</td>
                <td className={`${NUMBER} ${WIDE}`}>{formatMoney(row.fees)}</td>
                <td className={`${NUMBER} pr-4`}>
                  <span className="font-medium">{formatMoney(row.margin)}</span>
                  {row.revenue > 0 && row.margin > 0 ? (
                    <span className="block text-caption text-ink-3">
                      {formatPercent(row.margin / row.revenue)}
                    </span>
                  ) : null}
                </td>
              </tr>,
              isOpen ? (
                <tr key={`${row.key} lines`}>
                  <td colSpan={8} className="bg-sunken px-4 py-2">
                    <SoldLines view={view} />
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

/** Revenue against the best row; the darker part is the margin. The numbers stand beside it. */
function Bar({ row, most }: { row: SalesRow; most: number }) {
  const share = (amount: number) => `${(Math.max(0, Math.min(amount, most)) / most) * 100}%`
  return (
    <span className="relative mt-1 block h-1.5 w-full max-w-80" aria-hidden>
      <span
        className="absolute inset-y-0 left-0 rounded-full bg-data/35"
        style={{ width: share(row.revenue) }}
      />
      <span
        className="absolute inset-y-0 left-0 rounded-full bg-data"
        style={{ width: share(Math.min(row.margin, row.revenue)) }}
      />
    </span>
  )
}

/** What was shipped and what came back, latest first. */
function SoldLines({ view }: { view: SalesView }) {
  const [params] = useSearchParams()
  const query = useQuery(salesLinesQuery(view))
  const orderAddress = (id: string) => `?${withOrder(withSalesView(params, null), id)}`
  if (query.isError) return <ListError name="The lines" list={query} />
  if (!query.data) return <Skeleton className="h-8" />
  return (
    <ul className="divide-y divide-line">
      {query.data.map((sale, index) => (
        <li key={index} className="flex items-baseline gap-3 py-1.5">
          <span className="min-w-0 flex-1">
            <bdi className="wrap-anywhere">{sale.name}</bdi>{' '}
            <span className="text-ink-3">
              {sale.returns > 0 ? `${formatCount(sale.returns)} came back` : `× ${formatCount(sale.pieces)}`}
            </span>
            <span className="block text-caption text-ink-3">
              {formatDateTime(sale.at)} ·{' '}
              <Link to={orderAddress(sale.order_id)} className="link code">
                {sale.order_number}
              </Link>
            </span>
          </span>
          <span className="text-right whitespace-nowrap tabular-nums">{formatMoney(sale.revenue)}</span>
          <span className={`w-24 text-right whitespace-nowrap text-ink-3 tabular-nums ${WIDE}`}>
            − {formatMoney(sale.cost)}
          </span>
          <span className="w-24 text-right font-medium whitespace-nowrap tabular-nums">
            {formatMoney(sale.margin)}
          </span>
        </li>
      ))}
    </ul>
  )
}
