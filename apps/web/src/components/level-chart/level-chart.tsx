import { useNow } from '@/lib/browser/use-now.ts'
import { formatDay } from '@/lib/format/format.ts'
import { ChartCard } from '../ui/charts/chart-card.tsx'
import { chartHeight, DayChart, type DayPanel } from '../ui/charts/day-chart.tsx'
import { chartDays, levelByDay, type LevelEntry, sumByDay } from './level-days.ts'
import { t } from '@/lib/i18n/messages.ts'

interface LevelChartProps {
  title: string
  /** Name of the value that the line shows: `In stock`. */
  level: string
  /** The entries of the ledger, newest first. */
  entries: readonly LevelEntry[]
  /**
   * The time at which the item or spool began to exist. The chart leaves out earlier days. Null to show all thirty
   * days.
   */
  since?: string | null
  /** The bars below the line, such as the pieces sold on each day. */
  bars?: { name: string; amounts: readonly { at: string; amount: number }[] }
  format: (value: number) => string
  isWhole?: boolean
  emptyText: string
}

/**
 * Charts the level at the end of each of the last thirty days, with bars for the amounts of each day. Days before
 * `since` are left out.
 */
export function LevelChart({
  title,
  level,
  entries,
  since = null,
  bars,
  format,
  isWhole = false,
  emptyText,
}: LevelChartProps) {
  const dates = chartDays(useNow(), since)
  const line: DayPanel = {
    height: bars ? 104 : 148,
    kind: 'line',
    formatTick: format,
    isWhole,
    series: [
      {
        name: level,
        values: levelByDay(entries, dates),
        fill: 'fill-data',
        swatch: 'bg-data',
        format,
      },
    ],
  }
  const below: DayPanel | null = bars
    ? {
        height: 32,
        kind: 'bars',
        formatTick: format,
        isWhole,
        intervals: 1,
        series: [
          {
            name: bars.name,
            values: sumByDay(bars.amounts, dates),
            fill: 'fill-ink-3/75',
            swatch: 'bg-ink-3',
            format,
          },
        ],
      }
    : null
  const panels = below ? [line, below] : [line]
  const series = panels.flatMap((panel) => panel.series)
  return (
    <ChartCard
      title={title}
      aside={
        <span className="text-caption text-ink-3">
          {t('{days, plural, one {# day} other {# days}}', { days: dates.length })}
        </span>
      }
      height={chartHeight(panels)}
      table={() => ({
        head: [t('Day'), ...series.map(({ name }) => name)],
        rows: dates
          .map((date, day) => [
            formatDay(date, { withWeekday: true }),
            ...series.map(({ values }) => format(values[day] ?? 0)),
          ])
          .toReversed(),
      })}
    >
      <DayChart
        label={t('{title}, {days, plural, one {# day} other {# days}}', { title, days: dates.length })}
        dates={dates}
        panels={panels}
        emptyText={emptyText}
      />
    </ChartCard>
  )
}
