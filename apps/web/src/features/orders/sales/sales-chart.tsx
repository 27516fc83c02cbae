import type { SalesRow } from '@pegasus/contracts/orders/sales'
import { ChartCard, ChartKey, type ChartTable } from '@/components/ui/charts/chart-card.tsx'
import { chartHeight, DayChart, type DayPanel } from '@/components/ui/charts/day-chart.tsx'
import { RankedBars } from '@/components/ui/charts/ranked-bars.tsx'
import { formatCount, formatMoney, formatShortMoney } from '@/lib/format/format.ts'
import type { SalesPeriodView } from '../orders-address.ts'
import { FIGURE_LABELS, GROUP_LABELS, formatFigure, formatMonth, monthsOf } from './sales-labels.ts'
import { t } from '@/lib/i18n/messages.ts'

const MONEY_HEIGHT = 150
const PIECES_HEIGHT = 44
const MOST_BARS = 10
const ROW_PX = 28

const READ = ['revenue', 'shipping_income', 'cost', 'fees', 'postage', 'margin', 'pieces', 'returns'] as const

interface SalesChartProps {
  rows: readonly SalesRow[]
  view: SalesPeriodView
  /** Opens the lines of the row with this key. */
  onOpen: (key: string) => void
}

const keysOf = (rows: readonly SalesRow[]) => (
  <span className="flex gap-3 phone:hidden">
    <ChartKey swatch="bg-data/35">{t('Revenue')}</ChartKey>
    <ChartKey swatch="bg-data">{t('Margin')}</ChartKey>
    {rows.some(isUncertain) ? <ChartKey swatch="bg-data/60">{t('Margin at most')}</ChartKey> : null}
  </span>
)

/**
 * Charts the revenue and margin of the report. Months are vertical bars side by side; products and shops are
 * horizontal bars, one below the other.
 */
export const SalesChart = (props: SalesChartProps) =>
  props.view.by === 'month' ? <MonthChart {...props} /> : <RankChart {...props} />

const isUncertain = (row: SalesRow): boolean => row.pieces_without_cost > 0

const readingOf = (row: SalesRow | undefined) =>
  READ.map((figure) => [FIGURE_LABELS[figure], formatFigure(figure, row ?? {})] as const)

const tableOf = (
  heading: string,
  rows: readonly (readonly [string, SalesRow | undefined])[],
): ChartTable => ({
  head: [heading, ...READ.map((figure) => FIGURE_LABELS[figure])],
  rows: rows.map(([name, row]) => [name, ...readingOf(row).map(([, value]) => value)]),
})

/** Returns the current day in this browser's time zone: `2026-11-24`. */
const today = (): string => new Date().toLocaleDateString('sv-SE')

function MonthChart({ rows, view, onOpen }: SalesChartProps) {
  const months = monthsOf(view, today(), rows.map(({ key }) => key).toSorted()[0])
  const rowByMonth = new Map(rows.map((row) => [row.key, row]))
  const values = (of: (row: SalesRow) => number) =>
    months.map((month) => {
      const row = rowByMonth.get(month)
      return row ? Math.max(0, of(row)) : 0
    })
  const knownMargins = values((row) => (isUncertain(row) ? 0 : row.margin))
  const highestMargins = values((row) => (isUncertain(row) ? row.margin : 0))
  const losses = values((row) => -row.margin)
  const returns = values((row) => row.returns)
  const amounts = { swatch: '', format: formatMoney }
  const counts = { swatch: '', format: formatCount }
  const panels: DayPanel[] = [
    {
      height: MONEY_HEIGHT,
      kind: 'bars',
      formatTick: formatShortMoney,
      series: [
        { name: t('Revenue'), values: values((row) => row.revenue), fill: 'fill-data/35', ...amounts },
        { name: t('Margin'), values: knownMargins, fill: 'fill-data', ...amounts },
        ...(highestMargins.some(Boolean)
          ? [{ name: t('Margin at most'), values: highestMargins, fill: 'fill-data/35', ...amounts }]
          : []),
        ...(losses.some(Boolean)
          ? [{ name: t('Loss'), values: losses, fill: 'fill-red', isBelow: true, ...amounts }]
          : []),
      ],
    },
    {
      height: PIECES_HEIGHT,
      kind: 'bars',
      formatTick: formatCount,
      isWhole: true,
      intervals: 1,
      series: [
        { name: t('Pieces'), values: values((row) => row.pieces), fill: 'fill-ink-3/60', ...counts },
        ...(returns.some(Boolean)
          ? [{ name: t('Returns'), values: returns, fill: 'fill-red', isBelow: true, ...counts }]
          : []),
      ],
    },
  ]
  const last = months.at(-1) ?? ''
  return (
    <ChartCard
      title={t('Revenue and margin, and pieces shipped')}
      aside={keysOf(rows)}
      height={chartHeight(panels)}
      table={() =>
        tableOf(
          GROUP_LABELS.month,
          months.map((month) => [formatMonth(month, true), rowByMonth.get(month)] as const).toReversed(),
        )
      }
      className="mb-3"
    >
      <DayChart
        label={t('Revenue, margin and pieces by month')}
        dates={months}
        nameOf={formatMonth}
        labelGroup={1}
        lastName={formatMonth(last, false)}
        isLastOpen={last === today().slice(0, 7)}
        panels={panels}
        emptyText=""
        readingOf={(step) => readingOf(rowByMonth.get(months[step] ?? ''))}
        onOpen={(step) => {
          const month = months[step]
          if (month && rowByMonth.has(month)) onOpen(month)
        }}
      />
    </ChartCard>
  )
}

const PRODUCTS = {
  title: t('Revenue and margin by product'),
  label: t('Products by revenue'),
  others: (count: number) =>
    t('{count, plural, one {# other product} other {# other products}} below', { count }),
}
const SHOPS = {
  title: t('Revenue and margin by shop'),
  label: t('Shops by revenue'),
  others: (count: number) => t('{count, plural, one {# other shop} other {# other shops}} below', { count }),
}

function RankChart({ rows, view, onOpen }: SalesChartProps) {
  const shownRows = rows.slice(0, MOST_BARS)
  const others = rows.length - shownRows.length
  const texts = view.by === 'shop' ? SHOPS : PRODUCTS
  return (
    <ChartCard
      title={texts.title}
      aside={keysOf(rows)}
      height={Math.max(2, shownRows.length) * ROW_PX}
      table={() =>
        tableOf(
          GROUP_LABELS[view.by],
          rows.map((row) => [row.label, row] as const),
        )
      }
      className="mb-3"
    >
      <RankedBars
        label={texts.label}
        rows={shownRows.map((row) => ({
          key: row.key,
          name: row.label,
          value: row.revenue,
          part: Math.min(row.margin, row.revenue),
          isPartUncertain: isUncertain(row),
          text: formatMoney(row.revenue),
        }))}
        onOpen={onOpen}
      />
      {others > 0 ? <p className="mt-1 text-caption text-ink-3">{texts.others(others)}</p> : null}
    </ChartCard>
  )
}
