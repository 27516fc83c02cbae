import { LevelChart } from '@/components/level-chart/level-chart.tsx'
import { ChartCard, ChartKey } from '@/components/ui/charts/chart-card.tsx'
import { chartHeight, DayChart, type DayPanel } from '@/components/ui/charts/day-chart.tsx'
import { RankedBars } from '@/components/ui/charts/ranked-bars.tsx'
import { RemainingRing } from '@/components/ui/charts/remaining-ring.tsx'
import { Spark } from '@/components/ui/charts/spark.tsx'
import { StockGauge } from '@/components/ui/charts/stock-gauge.tsx'
import { type ExampleGroup, ignore } from '../example.tsx'

const DATES = Array.from({ length: 14 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}`)
const FINISHED = [3, 5, 2, 8, 6, 0, 0, 4, 9, 7, 5, 6, 1, 2]
const FAILED = [0, 1, 0, 0, 2, 0, 0, 1, 0, 0, 0, 1, 0, 0]
const EMPTY_TEXT = 'No prints in this time.'

const panelsOf = (finished: readonly number[], failed: readonly number[]): readonly DayPanel[] => [
  {
    height: 120,
    kind: 'bars',
    isWhole: true,
    formatTick: String,
    series: [
      { name: 'Finished', values: finished, fill: 'fill-green', swatch: 'bg-green', format: String },
      { name: 'Failed', values: failed, fill: 'fill-red', swatch: 'bg-red', format: String, isBelow: true },
    ],
  },
]
const PANELS = panelsOf(FINISHED, FAILED)
const NOTHING = DATES.map(() => 0)

const TABLE = {
  head: ['Day', 'Finished', 'Failed'],
  rows: DATES.map((date, day) => [date, String(FINISHED[day]), String(FAILED[day])]),
}

export const CHARTS: readonly ExampleGroup[] = [
  {
    component: 'LevelChart',
    examples: [
      {
        name: 'A level, and what left',
        isWide: true,
        show: (
          <LevelChart
            title="Stock and sales"
            level="In stock"
            entries={[
              { at: '2026-11-12T09:00:00Z', after: 4, delta: -3 },
              { at: '2026-11-02T09:00:00Z', after: 7, delta: 7 },
            ]}
            bars={{ name: 'Shipped', amounts: [{ at: '2026-11-12T09:00:00Z', amount: 3 }] }}
            format={String}
            isWhole
            emptyText="Nothing was in stock."
          />
        ),
      },
    ],
  },
  {
    component: 'ChartCard with DayChart',
    examples: [
      {
        name: 'Two series',
        isWide: true,
        show: (
          <ChartCard
            title="Prints"
            table={() => TABLE}
            height={chartHeight(PANELS)}
            aside={
              <>
                <ChartKey swatch="bg-green">Finished</ChartKey>
                <ChartKey swatch="bg-red">Failed</ChartKey>
              </>
            }
          >
            <DayChart label="Prints per day" dates={DATES} panels={PANELS} emptyText={EMPTY_TEXT} />
          </ChartCard>
        ),
      },
      {
        name: 'Nothing to draw',
        isWide: true,
        show: (
          <DayChart
            label="Prints per day, none"
            dates={DATES}
            panels={panelsOf(NOTHING, NOTHING)}
            emptyText={EMPTY_TEXT}
          />
        ),
      },
    ],
  },
  {
    component: 'RankedBars',
    examples: [
      {
        name: 'A gain, and a loss',
        isWide: true,
        show: (
          <RankedBars
            label="Products by revenue"
            rows={[
              { key: 'dragon', name: 'Dragon', value: 410, part: 260, text: '$410.00' },
              { key: 'hook', name: 'Wall hook', value: 90, part: -20, text: '$90.00' },
            ]}
            onOpen={ignore}
          />
        ),
      },
    ],
  },
  {
    component: 'RemainingRing',
    examples: [
      {
        name: 'Full, half, low and empty',
        show: (
          <div className="flex gap-3">
            {[1, 0.5, 0.08, 0].map((share) => (
              <RemainingRing
                key={share}
                share={share}
                colorHex="#E8641B"
                isLow={share < 0.1}
                className="size-14"
              />
            ))}
          </div>
        ),
      },
    ],
  },
  { component: 'Spark', examples: [{ name: 'Two weeks', show: <Spark values={FINISHED} /> }] },
  {
    component: 'StockGauge',
    examples: (['In Stock', 'Low Stock', 'Out of Stock'] as const).map((status, index) => ({
      name: status,
      show: (
        <StockGauge
          stock={{
            quantity: [60, 4, 0][index] ?? 0,
            reserved_quantity: index === 0 ? 12 : 0,
            reorder_point: 5,
            max_stock: 100,
            status,
          }}
        />
      ),
    })),
  },
]
