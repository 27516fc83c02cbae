import {
  type FilamentForecast,
  type FilamentStock,
  forecastSentence,
} from '@pegasus/contracts/filament/stock'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Column, DataTable, TableSkeleton } from '@/components/data-table.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { formatCount, formatGrams } from '@/lib/format/format.ts'
import { forecastQuery, stockQuery } from '../filament.queries.ts'
import { colorKey, colorLabel } from './filament-labels.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const ROW_HEIGHT = 52
const PHONE_ROW_HEIGHT = 88

interface StockRow extends FilamentStock {
  id: string
  neededGrams: number
  outlook: string | null
}

interface StockByColorProps {
  spoolsAddress: (of: { material: string; color: string }) => string
}

/** Shows for each material and color the stock, the demand of the print queue, and how long the stock lasts. */
export function StockByColor({ spoolsAddress }: StockByColorProps) {
  const stock = useQuery(stockQuery)
  const forecast = useQuery(forecastQuery)
  if (stock.isPending)
    return (
      <TableSkeleton
        label={t('Loading the totals')}
        rowHeight={ROW_HEIGHT}
        phoneRowHeight={PHONE_ROW_HEIGHT}
        hasPictures={false}
      />
    )
  if (stock.isError) return <QueryError message={t('The totals could not be loaded.')} query={stock} />
  if (stock.data.length === 0)
    return (
      <Card className="p-4">
        <p className="text-ink-2">{t('There are no spools yet.')}</p>
      </Card>
    )
  const rows = joinForecast(stock.data, forecast.data ?? [])
  const fullGrams = Math.max(...rows.map((row) => Math.max(row.remaining_grams, row.neededGrams)))
  return (
    <DataTable
      label={t('Filament by material and color')}
      columns={columnsOf(spoolsAddress, fullGrams)}
      rows={rows}
      total={stock.data.length}
      rowHeight={ROW_HEIGHT}
      phoneRowHeight={PHONE_ROW_HEIGHT}
      phoneRow={(row) => <PhoneRow row={row} to={spoolsAddress(row)} fullGrams={fullGrams} />}
      isStale={false}
      hasMore={false}
      onMore={() => undefined}
    />
  )
}

function joinForecast(stock: readonly FilamentStock[], forecast: readonly FilamentForecast[]): StockRow[] {
  const byColor = new Map(forecast.filter((each) => !each.is_any_color).map((each) => [colorKey(each), each]))
  const rows = stock.map((each) => {
    const needed = byColor.get(colorKey(each))
    return {
      ...each,
      id: colorKey(each),
      neededGrams: needed?.needed_grams ?? 0,
      outlook: needed ? serverText(forecastSentence(needed) ?? '') || null : null,
    }
  })
  // Colors that the queue will use up come first, then low colors. Otherwise the server's order stays.
  return rows.toSorted((one, other) => urgencyOf(other) - urgencyOf(one))
}

const missingOf = ({ neededGrams, remaining_grams: left }: StockRow): number =>
  Math.max(0, neededGrams - left)

const urgencyOf = (row: StockRow): number => (missingOf(row) > 0 ? 2 : row.is_low || row.outlook ? 1 : 0)

/** Shows the remaining filament compared with the demand of the queue. The missing part is hatched. */
function Balance({ row, fullGrams }: { row: StockRow; fullGrams: number }) {
  const share = (grams: number) => `${fullGrams > 0 ? (100 * grams) / fullGrams : 0}%`
  const missing = missingOf(row)
  return (
    <span className="relative block h-1.5 w-full overflow-hidden rounded-[3px] bg-sunken" aria-hidden>
      <i
        className={`absolute inset-y-0 start-0 ${missing > 0 || row.is_low ? 'bg-yellow' : 'bg-data'}`}
        style={{ width: share(row.remaining_grams) }}
      />
      {missing > 0 ? (
        <i
          className="absolute inset-y-0 bg-[repeating-linear-gradient(135deg,var(--red)_0_2px,transparent_2px_4px)]"
          style={{ insetInlineStart: share(row.remaining_grams), width: share(missing) }}
        />
      ) : null}
      {row.neededGrams > 0 ? (
        <i className="absolute inset-y-0 w-0.5 bg-ink" style={{ insetInlineStart: share(row.neededGrams) }} />
      ) : null}
    </span>
  )
}

const Name = ({ row, to }: { row: StockRow; to: string }) => (
  <Link to={to} className="flex min-w-0 items-center gap-2 font-medium hover:underline">
    <ColorDot hex={row.color_hex} />
    <bdi className="truncate" title={colorLabel(row)}>
      {colorLabel(row)}
    </bdi>
  </Link>
)

const Outlook = ({ row }: { row: StockRow }) => {
  if (row.outlook) return <span className="text-yellow-ink">{row.outlook}</span>
  if (row.is_low) return <span className="text-yellow-ink">{t('Low')}</span>
  return (
    <span className="text-ink-3">{row.neededGrams > 0 ? t('Lasts for the queue') : t('Not needed')}</span>
  )
}

const columnsOf = (
  spoolsAddress: StockByColorProps['spoolsAddress'],
  fullGrams: number,
): readonly Column<StockRow>[] => [
  {
    id: 'filament',
    head: t('Filament'),
    track: 'minmax(0,1.4fr)',
    cell: (row) => <Name row={row} to={spoolsAddress(row)} />,
  },
  {
    id: 'balance',
    head: t('Left and needed'),
    track: 'minmax(120px,1fr)',
    from: 900,
    cell: (row) => <Balance row={row} fullGrams={fullGrams} />,
  },
  { id: 'spools', head: t('Spools'), track: '72px', isNumber: true, cell: (row) => formatCount(row.spools) },
  {
    id: 'left',
    head: t('Left'),
    track: '96px',
    isNumber: true,
    cell: (row) => <span className="font-semibold">{formatGrams(row.remaining_grams)}</span>,
  },
  {
    id: 'low',
    head: t('Low at'),
    track: '96px',
    isNumber: true,
    from: 760,
    cell: (row) => (row.low_stock_grams === null ? '' : formatGrams(row.low_stock_grams)),
  },
  {
    id: 'needed',
    head: t('Queue needs'),
    track: '104px',
    isNumber: true,
    cell: (row) => (row.neededGrams > 0 ? formatGrams(row.neededGrams) : ''),
  },
  { id: 'outlook', head: t('Outlook'), track: 'minmax(0,1.6fr)', cell: (row) => <Outlook row={row} /> },
]

const PhoneRow = ({ row, to, fullGrams }: { row: StockRow; to: string; fullGrams: number }) => (
  <div className="px-4 py-3">
    <div className="flex items-baseline gap-3">
      <span className="min-w-0 flex-1">
        <Name row={row} to={to} />
      </span>
      <span className="font-semibold whitespace-nowrap">{formatGrams(row.remaining_grams)}</span>
    </div>
    <p className="mt-0.5 text-caption">
      <span className="text-ink-3">
        {t('{spools, plural, one {# spool} other {# spools}}', { spools: row.spools })} ·{' '}
      </span>
      <Outlook row={row} />
    </p>
    <div className="mt-1.5">
      <Balance row={row} fullGrams={fullGrams} />
    </div>
  </div>
)
