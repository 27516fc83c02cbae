import { SALES_GROUPS, type SalesGroup, type SalesRow, getSalesReport } from '@pegasus/contracts/orders/sales'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowLeft, ChartColumn, Download } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { ListError } from '@/components/list-error.tsx'
import { toastError } from '@/components/toast-error.ts'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { saveFile } from '@/lib/browser/save-file.ts'
import { formatCount, formatMoney, formatPercent } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { callForBytes } from '@/lib/http/api.ts'
import { salesQueryOf, salesReportQuery } from '../orders.queries.ts'
import { type SalesView, withSalesView } from '../orders-address.ts'
import { SalesTable } from './sales-table.tsx'

const LABELS: Readonly<Record<SalesGroup, string>> = { month: 'Month', product: 'Product', shop: 'Shop' }

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

/** What was shipped in a period: revenue, cost and margin by month, product or shop. */
export function SalesPage({ view }: { view: SalesView }) {
  const [params, setParams] = useSearchParams()
  const query = useQuery(salesReportQuery(view))
  usePageTitle('Sales report')
  const show = (change: Partial<SalesView>) =>
    setParams(withSalesView(params, { ...view, row: '', ...change }), { replace: true })
  const rows = query.data
  return (
    <>
      <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-2">
        <Link
          to={`?${withSalesView(params, null)}`}
          className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ml-2`}
        >
          <ArrowLeft {...ICON} />
          Orders
        </Link>
        <h1 className="mr-auto text-page font-[620]">Sales report</h1>
        <SegmentedControl
          label="Rows"
          className="phone:w-full phone:*:flex-1 phone:*:justify-center"
          value={view.by}
          options={SALES_GROUPS.map((value) => ({ value, label: LABELS[value] }))}
          onChange={(by) => show({ by })}
        />
        <Input
          aria-label="From"
          type="date"
          className="w-38 phone:flex-1"
          value={view.from}
          max={view.to}
          onChange={({ target }) => show({ from: target.value })}
        />
        <Input
          aria-label="To"
          type="date"
          className="w-38 phone:flex-1"
          value={view.to}
          min={view.from}
          onChange={({ target }) => show({ to: target.value })}
        />
        <CsvButton view={view} isDisabled={!rows || rows.length === 0} />
      </div>
      <ListError name="The sales report" list={query} />
      {rows === undefined && !query.isError ? (
        <SkeletonGroup label="Loading the sales report">
          <Card className="flex flex-col gap-2 p-4">
            <Skeleton className="h-16" />
            <Skeleton className="h-11" />
            <Skeleton className="h-11" />
          </Card>
        </SkeletonGroup>
      ) : null}
      {rows?.length === 0 ? (
        <Card className="p-4">
          <EmptyState
            icon={<ChartColumn size={28} strokeWidth={1.4} aria-hidden />}
            title="Nothing was shipped in this period"
            titleLevel={2}
          >
            Each shipment of an order counts on the day it leaves, with what its pieces cost on that day.
          </EmptyState>
        </Card>
      ) : null}
      {rows && rows.length > 0 ? (
        <>
          <Sums rows={rows} />
          <SalesTable rows={rows} view={view} heading={LABELS[view.by]} onOpen={(row) => show({ row })} />
        </>
      ) : null}
    </>
  )
}

const total = (rows: readonly SalesRow[], of: (row: SalesRow) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0)

const marginNote = (revenue: number, margin: number): string | null =>
  revenue > 0 && margin > 0 ? `${formatPercent(margin / revenue)} of revenue` : null

/** The figures of the whole period. */
function Sums({ rows }: { rows: readonly SalesRow[] }) {
  const revenue = total(rows, (row) => row.revenue)
  const margin = total(rows, (row) => row.margin)
  const unknown = total(rows, (row) => row.pieces_without_cost)
  const figures: readonly (readonly [name: string, value: string, note?: string | null])[] = [
    ['Revenue', formatMoney(revenue)],
    ['Cost', formatMoney(total(rows, (row) => row.cost))],
    ['Fees', formatMoney(total(rows, (row) => row.fees))],
    ['Margin', formatMoney(margin), marginNote(revenue, margin)],
    ['Pieces', formatCount(total(rows, (row) => row.pieces))],
    ['Returns', formatCount(total(rows, (row) => row.returns))],
  ]
  return (
    <>
      <dl className="mb-3 grid grid-cols-3 overflow-hidden rounded-card border border-line bg-surface lg:grid-cols-6 phone:grid-cols-2">
        {figures.map(([name, value, note]) => (
          <div key={name} className="min-w-0 px-4 py-3">
            <dt className="text-label text-ink-3">{name}</dt>
            <dd className="truncate text-page font-[620] tabular-nums" title={value}>
              {value}
            </dd>
            {note ? <dd className="text-caption text-ink-3">{note}</dd> : null}
          </div>
        ))}
      </dl>
      {unknown > 0 ? (
        <p className="mb-3 text-label text-ink-2">
          Nobody knows what {formatCount(unknown)} of these pieces cost, so they count as free. Weight and
          print time of an item make its cost known for what is shipped from then on.
        </p>
      ) : null}
    </>
  )
}

function CsvButton({ view, isDisabled }: { view: SalesView; isDisabled: boolean }) {
  const save = useMutation({
    mutationFn: async () => {
      const answer = await callForBytes(getSalesReport, {
        query: salesQueryOf(view),
        headers: { Accept: 'text/csv' },
      })
      saveFile(await answer.blob(), `pegasus-ops-sales-by-${view.by}.csv`)
    },
    onError: toastError,
  })
  return (
    <Button
      icon={<Download {...ICON} />}
      disabled={isDisabled}
      isPending={save.isPending}
      onClick={() => save.mutate()}
    >
      CSV
    </Button>
  )
}
