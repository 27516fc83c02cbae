import type { StatsHistory } from '@pegasus/contracts/stats'
import { useQuery } from '@tanstack/react-query'
import { memo, type ReactNode } from 'react'
import { ChartCard, ChartKey, type ChartTable } from '@/components/ui/charts/chart-card.tsx'
import { chartHeight, DayChart, type DayPanel } from '@/components/ui/charts/day-chart.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import {
  formatCount,
  formatDay,
  formatMoney,
  formatShortMoney,
  formatWholeMoney,
} from '@/lib/format/format.ts'
import { CHARTS_GRID, CHARTS_HEIGHT, ChartsSkeleton } from './charts-skeleton.tsx'
import { FilamentChart } from './filament-chart.tsx'
import { historyQuery } from './stats.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const PRINT_DAYS = 14
const FAILURES_LABELLED_FROM = 4

/** The charts of the last weeks. Their code is loaded together with the dashboard. */
export function Charts() {
  const query = useQuery(historyQuery)
  const { data } = query
  const failure = query.isError ? (
    <ErrorState
      message={data ? t('The charts could not be refreshed.') : t('The charts could not be loaded.')}
      detail={query.error.message}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  ) : null
  if (!data) return failure ?? <ChartsSkeleton />
  return (
    <>
      {failure}
      <div className={CHARTS_GRID}>
        <DayCharts days={data.days} filament={data.filament} />
      </div>
    </>
  )
}

/** The charts by day. They are drawn again only when their numbers change, because drawing is slow. */
const DayCharts = memo(({ days, filament }: Pick<StatsHistory, 'days' | 'filament'>) => (
  <>
    <RevenueChart days={days} />
    <PrintsChart days={days.slice(-PRINT_DAYS)} />
    <FilamentChart filament={filament} />
    <StockValueChart days={days} />
  </>
))
DayCharts.displayName = 'DayCharts'

type Days = StatsHistory['days']

interface DaysCardProps {
  title: string
  label: string
  aside: ReactNode
  days: Days
  panels: readonly DayPanel[]
  emptyText: string
}

function DaysCard({ title, label, aside, days, panels, emptyText }: DaysCardProps) {
  const table = (): ChartTable => {
    const series = panels.flatMap((panel) => panel.series)
    return {
      head: [t('Day'), ...series.map(({ name }) => name)],
      rows: days
        .map(({ date }, day) => [
          formatDay(date, { withWeekday: true }),
          ...series.map(({ values, format }) => format(values[day] ?? 0)),
        ])
        .toReversed(),
    }
  }
  return (
    <ChartCard title={title} aside={aside} table={table} height={chartHeight(panels)}>
      <DayChart label={label} dates={days.map(({ date }) => date)} panels={panels} emptyText={emptyText} />
    </ChartCard>
  )
}

function RevenueChart({ days }: { days: Days }) {
  const panels: DayPanel[] = [
    {
      height: CHARTS_HEIGHT - 84,
      kind: 'bars',
      formatTick: formatShortMoney,
      series: [
        {
          name: t('Revenue'),
          values: days.map(({ revenue }) => revenue),
          fill: 'fill-data',
          swatch: 'bg-data',
          format: formatMoney,
        },
      ],
    },
    {
      height: 32,
      kind: 'bars',
      formatTick: formatCount,
      isWhole: true,
      intervals: 1,
      series: [
        {
          name: t('Orders'),
          values: days.map(({ orders }) => orders),
          fill: 'fill-ink-3/75',
          swatch: 'bg-ink-3',
          format: formatCount,
        },
      ],
    },
  ]
  return (
    <DaysCard
      title={t('Revenue and orders per day')}
      label={t('Revenue and orders per day, {days} days', { days: days.length })}
      aside={
        <span className="flex items-center gap-3 phone:hidden">
          <ChartKey swatch="bg-data">{t('Revenue')}</ChartKey>
          <ChartKey swatch="bg-ink-3">{t('Orders')}</ChartKey>
        </span>
      }
      days={days}
      panels={panels}
      emptyText={t('Nothing sold in the last {days} days', { days: days.length })}
    />
  )
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

function PrintsChart({ days }: { days: Days }) {
  const finished = days.map(({ prints_finished }) => prints_finished)
  const failed = days.map(({ prints_failed }) => prints_failed)
  const panel: DayPanel = {
    height: CHARTS_HEIGHT - 30,
    kind: 'bars',
    formatTick: formatCount,
    isWhole: true,
    series: [
      { name: t('Finished'), values: finished, fill: 'fill-green', swatch: 'bg-green', format: formatCount },
      {
        name: t('Failed'),
        values: failed,
        fill: 'fill-red',
        swatch: 'bg-red',
        format: formatCount,
        isBelow: true,
        labelFrom: FAILURES_LABELLED_FROM,
      },
    ],
  }
  return (
    <DaysCard
      title={t('Prints finished and failed')}
      label={t('Prints finished and failed, {days} days', { days: days.length })}
      aside={
        // If the heading has no room for these numbers, the table still contains them.
        <span className="hidden whitespace-nowrap @min-[340px]:inline">
          {t('{sumOf} · {sumOf2} failed', {
            sumOf: formatCount(sumOf(finished)),
            sumOf2: formatCount(sumOf(failed)),
          })}
        </span>
      }
      days={days}
      panels={[panel]}
      emptyText={t('No prints in the last {days} days', { days: days.length })}
    />
  )
}

function StockValueChart({ days }: { days: Days }) {
  const values = days.map(({ stock_value }) => stock_value)
  const panel: DayPanel = {
    height: CHARTS_HEIGHT - 30,
    kind: 'line',
    formatTick: formatShortMoney,
    series: [
      { name: t('Stock value'), values, fill: 'fill-data', swatch: 'bg-data', format: formatWholeMoney },
    ],
  }
  return (
    <DaysCard
      title={t('Stock value')}
      label={t('Stock value, {days} days', { days: days.length })}
      aside={formatWholeMoney(values.at(-1) ?? 0)}
      days={days}
      panels={[panel]}
      emptyText={t('No item in stock has a price')}
    />
  )
}
