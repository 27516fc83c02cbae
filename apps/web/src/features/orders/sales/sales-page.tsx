import {
  SALES_FIGURES,
  type SalesFigure,
  type SalesRow,
  getSalesReport,
} from '@pegasus/contracts/orders/sales'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ChartColumn, Download } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { ListError } from '@/components/list-error.tsx'
import { toastError } from '@/components/toast-error.ts'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { saveFile } from '@/lib/browser/save-file.ts'
import { formatCount, formatFullMonth } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { callForBytes } from '@/lib/http/api.ts'
import { ReportHead } from '@/components/page-head.tsx'
import { sourceText } from '../order-sources.ts'
import { salesQueryOf, salesReportQuery } from '../orders.queries.ts'
import { type SalesView, withSalesView } from '../orders-address.ts'
import { SalesChart } from './sales-chart.tsx'
import {
  AMOUNT_FIGURES,
  FIGURE_LABELS,
  GROUP_LABELS,
  formatMarginShare,
  productText,
} from './sales-labels.ts'
import { FigureButton, type OpenFigure, SalesTable } from './sales-table.tsx'
import { SoldLines } from './sold-lines.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

/** The sales report of a period: revenue, cost and margin by month, product or shop. */
export function SalesPage({ view }: { view: SalesView }) {
  const [params, setParams] = useSearchParams()
  const isSwapped = view.from !== '' && view.to !== '' && view.from > view.to
  const query = useQuery({ ...salesReportQuery(view), enabled: !isSwapped })
  usePageTitle(t('Sales report'))
  const show = (change: Partial<SalesView>) =>
    setParams(withSalesView(params, { ...view, row: '', figure: null, ...change }), {
      replace: true,
      preventScrollReset: true,
    })
  const openFigure = (next: OpenFigure | null) => show(next ?? {})
  // The server names months, shops and kept money in English.
  const labelOf = { month: formatFullMonth, shop: sourceText, product: null }[view.by]
  const rows = query.data?.map((row) => ({
    ...row,
    label: labelOf ? labelOf(row.key) : productText(row.label),
  }))
  return (
    <>
      <ReportHead
        backTo={`?${withSalesView(params, null)}`}
        backLabel={t('Orders')}
        title={t('Sales report')}
      >
        <SegmentedControl
          label={t('Rows')}
          className="phone:order-1 phone:w-full phone:*:flex-1 phone:*:justify-center"
          value={view.by}
          options={GROUP_LABELS}
          onChange={(by) => show({ by })}
        />
        <DayInput label={t('From')} value={view.from} max={view.to} onChange={(from) => show({ from })} />
        <DayInput label={t('To')} value={view.to} min={view.from} onChange={(to) => show({ to })} />
        <CsvButton view={view} isDisabled={!rows || rows.length === 0} />
      </ReportHead>
      <p className="mb-3 text-label text-ink-3">
        {t(
          'Pieces count on the day they are shipped. The dashboard adds up the totals of all orders instead, on the day they are placed.',
        )}
        {view.from === '' && view.to === '' ? (
          <> {t('Without days, this report covers the last twelve months.')}</>
        ) : null}
      </p>
      {isSwapped ? <AlertBox title={t('The first day must not be after the last day.')} /> : null}
      <ListError name={t('The sales report')} list={query} />
      {rows === undefined && !query.isError && !isSwapped ? (
        <Card>
          <SkeletonLines label={t('Loading the sales report')} lineClass="h-11" />
        </Card>
      ) : null}
      {rows?.length === 0 ? (
        <Card className="p-4">
          <EmptyState
            icon={<ChartColumn size={28} strokeWidth={1.4} aria-hidden />}
            title={t('Nothing was shipped in this period')}
            titleLevel={2}
          >
            {t('A shipment counts on the day it is sent, with the cost of its pieces on that day.')}
          </EmptyState>
        </Card>
      ) : null}
      {rows && rows.length > 0 ? (
        <>
          <Sums rows={rows} view={view} onOpen={openFigure} />
          <SalesChart rows={rows} view={view} onOpen={(row) => openFigure({ row, figure: 'revenue' })} />
          <SalesTable rows={rows} view={view} onOpen={openFigure} />
        </>
      ) : null}
    </>
  )
}

/** Adds up the figures of the whole period. They are rounded, because sums of decimal numbers have small errors. */
const sumOf = (rows: readonly SalesRow[]): Record<SalesFigure, number> => {
  const total = (figure: SalesFigure) =>
    Math.round(rows.reduce((sum, row) => sum + row[figure], 0) * 10_000) / 10_000
  return Object.fromEntries(SALES_FIGURES.map((figure) => [figure, total(figure)])) as Record<
    SalesFigure,
    number
  >
}

const SHOWN: readonly SalesFigure[] = [...AMOUNT_FIGURES, 'pieces', 'returns']

interface SumsProps {
  rows: readonly SalesRow[]
  view: SalesView
  onOpen: (open: OpenFigure | null) => void
}

/** Shows the figures of the whole period. Each figure opens the lines that make it up. */
function Sums({ rows, view, onOpen }: SumsProps) {
  const sums = sumOf(rows)
  const isOpen = (figure: SalesFigure) => view.row === '' && view.figure === figure
  const toggle = (figure: SalesFigure) => onOpen(isOpen(figure) ? null : { row: '', figure })
  const share = formatMarginShare(sums)
  const unknown = sums.pieces_without_cost
  return (
    <>
      <dl className="mb-3 grid grid-cols-4 overflow-hidden rounded-card border border-line bg-surface phone:grid-cols-2">
        {SHOWN.map((figure) => (
          <div key={figure} className="min-w-0 px-4 py-3">
            <dt className="text-label text-ink-3">{FIGURE_LABELS[figure]}</dt>
            <dd className="text-page font-[620] tabular-nums phone:text-dialog [&>button]:text-start">
              <FigureButton
                figure={figure}
                of={t('the period')}
                row={sums}
                isOpen={isOpen(figure)}
                onClick={() => toggle(figure)}
              />
            </dd>
            {figure === 'margin' && share ? (
              <dd className="text-caption text-ink-3">
                {sums.shipping_income > 0
                  ? t('{margin} of revenue and shipping', { margin: share })
                  : t('{margin} of revenue', { margin: share })}
              </dd>
            ) : null}
          </div>
        ))}
      </dl>
      {unknown > 0 ? (
        <p className="mb-3 text-label text-ink-2">
          {rich(
            'The cost of <button>{unknown} of these pieces</button> is not known and counts as zero, so the margin is smaller than shown. Enter the weight and print time on the page of an item: then the cost of its later shipments is known.',
            {
              unknown: formatCount(unknown),
              button: (text) => (
                <button
                  type="button"
                  className="link"
                  aria-expanded={isOpen('pieces_without_cost')}
                  onClick={() => toggle('pieces_without_cost')}
                >
                  {text}
                </button>
              ),
            },
          )}
        </p>
      ) : null}
      {view.row === '' && view.figure ? (
        <Card className="mb-3 overflow-hidden bg-sunken! px-4 py-2">
          <SoldLines view={view} of={t('the whole period')} figures={sums} onClose={() => onOpen(null)} />
        </Card>
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
      {t('CSV')}
    </Button>
  )
}

interface DayInputProps {
  label: string
  value: string
  min?: string
  max?: string
  onChange: (day: string) => void
}

/** The first or the last day of the report. The label is beside the field, or above it on a phone. */
const DayInput = ({ label, onChange, ...limits }: DayInputProps) => (
  <div className="flex items-center gap-2 phone:order-1 phone:block phone:min-w-38 phone:flex-1">
    <span className="text-label text-ink-2 phone:mb-1 phone:block" aria-hidden>
      {label}
    </span>
    <Input
      className="w-38 phone:w-full"
      {...limits}
      aria-label={label}
      type="date"
      onChange={({ target }) => onChange(target.value)}
    />
  </div>
)
