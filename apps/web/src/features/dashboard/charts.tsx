import type { StatsHistory } from '@pegasus/contracts/stats'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
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

const PRINT_DAYS = 14
const FAILURES_LABELLED_FROM = 4

/** The charts of the last weeks. Their code is loaded together with the dashboard. */
export function Charts({ query }: { query: UseQueryResult<StatsHistory> }) {
  const { data, isError, error, refetch, isFetching } = query
  const failure = isError ? (
    <ErrorState
      message={data ? 'The charts could not be refreshed.' : 'The charts could not be loaded.'}
      detail={error.message}
      onRetry={() => void refetch()}
      isRetrying={isFetching}
    />
  ) : null
  if (!data) return failure ?? <ChartsSkeleton />
  return (
    <>
      {failure}
      <div className={CHARTS_GRID}>
        <RevenueChart days={data.days} />
        <PrintsChart days={data.days.slice(-PRINT_DAYS)} />
        <FilamentChart filament={data.filament} />
        <StockValueChart days={data.days} />
      </div>
    </>
  )
}

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
  const series = panels.flatMap((panel) => panel.series)
  const table: ChartTable = {
    head: ['Day', ...series.map(({ name }) => name)],
    rows: days
      .map(({ date }, day) => [
        formatDay(date, { withWeekday: true }),
        ...series.map(({ values, format }) => format(values[day] ?? 0)),
      ])
      .toReversed(),
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
          name: 'Revenue',
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
          name: 'Orders',
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
      title="Revenue and orders per day"
      label={`Revenue and orders per day, ${days.length} days`}
      aside={
        <span className="flex items-center gap-3 phone:hidden">
          <ChartKey swatch="bg-data">Revenue</ChartKey>
          <ChartKey swatch="bg-ink-3">Orders</ChartKey>
        </span>
      }
      days={days}
      panels={panels}
      emptyText={`Nothing sold in the last ${days.length} days`}
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
      { name: 'Finished', values: finished, fill: 'fill-green', swatch: 'bg-green', format: formatCount },
      {
        name: 'Failed',
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
      title="Prints finished and failed"
      label={`Prints finished and failed, ${days.length} days`}
      aside={
        // If the heading has no room for these numbers, the table still contains them.
        <span className="hidden whitespace-nowrap @min-[340px]:inline">
          {formatCount(sumOf(finished))} · {formatCount(sumOf(failed))} failed
        </span>
      }
      days={days}
      panels={[panel]}
      emptyText={`No prints in the last ${days.length} days`}
    />
  )
}

function StockValueChart({ days }: { days: Days }) {
  const values = days.map(({ stock_value }) => stock_value)
  const panel: DayPanel = {
    height: CHARTS_HEIGHT - 30,
    kind: 'line',
    formatTick: formatShortMoney,
    series: [{ name: 'Stock value', values, fill: 'fill-data', swatch: 'bg-data', format: formatWholeMoney }],
  }
  return (
    <DaysCard
      title="Stock value"
      label={`Stock value, ${days.length} days`}
      aside={formatWholeMoney(values.at(-1) ?? 0)}
      days={days}
      panels={[panel]}
      emptyText="No item in stock has a price"
    />
  )
}
