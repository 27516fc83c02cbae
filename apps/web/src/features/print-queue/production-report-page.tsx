import type { ProductionGroup, ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { AccessDenied } from '@/components/access-denied.tsx'
import { type Column, DataTable, TableSkeleton } from '@/components/data-table.tsx'
import { ListError } from '@/components/list-error.tsx'
import { CostDifference } from '@/components/production/cost-comparison.tsx'
import {
  failureText,
  unknownText,
  differenceText,
  yieldText,
} from '@/components/production/production-texts.ts'
import { productionQuery } from '@/components/production/production.queries.ts'
import { ReportHead } from '@/components/page-head.tsx'
import { useSorting } from '@/components/table-view/use-sorting.ts'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { formatCount, formatFullMonth, formatGrams, formatMinutes, formatMoney } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

const ROW_HEIGHT = 52
const PHONE_ROW_HEIGHT = 96

/** Heads of the first column. */
const HEADS: Readonly<Record<ProductionGroup, string>> = {
  item: t('Item'),
  order: t('Order'),
  month: t('Month'),
}

const LABELS: Readonly<Record<ProductionGroup, string>> = {
  item: t('Items'),
  order: t('Orders'),
  month: t('Months'),
}

/** Compares the planned and the actual values of all prints in the last twelve months. */
export function ProductionPage({ backTo }: { backTo: string }) {
  const canSee = hasRole(useCurrentUser().role, 'staff')
  usePageTitle(t('Planned and actual'))
  return canSee ? <Report backTo={backTo} /> : <AccessDenied />
}

function Report({ backTo }: { backTo: string }) {
  const [by, setBy] = useState<ProductionGroup>('item')
  const query = useQuery(productionQuery({ by }))
  // The server names months in English.
  const labelOf = ({ key, label }: ProductionRow) => (by === 'month' ? formatFullMonth(key) : label)
  const rows = query.data?.map((row) => ({ ...row, id: row.key, label: labelOf(row) }))
  return (
    <>
      <ReportHead backTo={backTo} backLabel={t('Schedule')} title={t('Planned and actual')}>
        <SegmentedControl
          className="phone:w-full phone:*:flex-1 phone:*:justify-center"
          label={t('Rows')}
          value={by}
          options={LABELS}
          onChange={setBy}
        />
      </ReportHead>
      <ListError name={t('The report')} list={query} />
      {rows === undefined ? (
        query.isError ? null : (
          <TableSkeleton
            label={t('Loading the report')}
            rowHeight={ROW_HEIGHT}
            phoneRowHeight={PHONE_ROW_HEIGHT}
            hasPictures={false}
          />
        )
      ) : rows.length === 0 ? (
        <Card className="p-4">
          <EmptyState
            icon={<ChartColumn size={28} strokeWidth={1.4} aria-hidden />}
            title={t('Nothing was printed yet')}
            titleLevel={2}
          >
            {t('This page compares the plates of the last twelve months with their estimates.')}
          </EmptyState>
        </Card>
      ) : (
        <ReportTable by={by} rows={rows} />
      )}
    </>
  )
}

type ReportRow = ProductionRow & { id: string }

function ReportTable({ by, rows }: { by: ProductionGroup; rows: readonly ReportRow[] }) {
  const columns = columnsOf(by)
  const paging = { isStale: false, hasMore: false, onMore: () => undefined }
  const count = { total: rows.length, isTotalCapped: false }
  const sort = useSorting({ columns, rows, count, paging })
  return (
    <DataTable
      {...paging}
      label={LABELS[by]}
      columns={columns}
      rows={sort.rows}
      total={rows.length}
      sort={sort}
      rowHeight={ROW_HEIGHT}
      phoneRow={(row) => <PhoneRow row={row} />}
      phoneRowHeight={PHONE_ROW_HEIGHT}
    />
  )
}

const columnsOf = (by: ProductionGroup): readonly Column<ReportRow>[] => [
  {
    id: 'label',
    head: HEADS[by],
    track: 'minmax(0,2fr)',
    value: ({ label }) => label,
    cell: ({ label }) => <bdi className="block font-medium wrap-anywhere">{label}</bdi>,
  },
  {
    id: 'good',
    head: t('Good pieces'),
    track: 'minmax(0,1fr)',
    isNumber: true,
    from: 760,
    value: ({ good }) => good,
    cell: (row) => (
      <Compared
        value={t('{good} of {piecesOf}', { good: formatCount(row.good), piecesOf: piecesOf(row) })}
        note={yieldText(row)}
      />
    ),
  },
  ...COST_COLUMNS,
  ...valueColumns(
    ['planned_grams', t('Planned filament')],
    ['used_grams', t('Actual filament')],
    formatGrams,
  ),
  ...valueColumns(['planned_minutes', t('Planned time')], ['print_minutes', t('Actual time')], formatMinutes),
]

type NumberField = 'planned_grams' | 'used_grams' | 'planned_minutes' | 'print_minutes'

/** The planned and the actual value of a quantity. The actual value says by how much it differs from the plan. */
const valueColumns = (
  [planned, plannedHead]: readonly [field: NumberField, head: string],
  [actual, actualHead]: readonly [field: NumberField, head: string],
  format: (value: number) => string,
): readonly Column<ReportRow>[] => [
  {
    id: planned,
    head: plannedHead,
    track: 'minmax(0,1fr)',
    isNumber: true,
    from: 1000,
    value: (row) => row[planned],
    cell: (row) => <Compared value={row[planned] === null ? null : format(row[planned])} />,
  },
  {
    id: actual,
    head: actualHead,
    track: 'minmax(0,1fr)',
    isNumber: true,
    value: (row) => row[actual],
    cell: (row) => (
      <Compared
        value={row[actual] === null ? null : format(row[actual])}
        note={differenceText(row[planned], row[actual])}
      />
    ),
  },
]

/** The planned and the actual cost of completed jobs. Jobs without a plan count only if no job has one. */
const COST_COLUMNS: readonly Column<ReportRow>[] = [
  {
    id: 'planned_cost',
    head: t('Planned cost'),
    track: 'minmax(0,1fr)',
    isNumber: true,
    value: ({ planned_cost: cost }) => cost,
    cell: ({ planned_cost: cost, jobs, compared_jobs: compared }) => (
      <Compared
        value={cost === null ? null : formatMoney(cost)}
        note={
          compared > 0 && compared < jobs
            ? t('{compared} of {jobs, plural, one {# job} other {# jobs}}', { compared, jobs })
            : null
        }
      />
    ),
  },
  {
    id: 'cost',
    head: t('Actual cost'),
    track: 'minmax(0,3.5fr)',
    isNumber: true,
    value: ({ compared_cost: compared, cost }) => compared ?? cost,
    cell: (row) => {
      const { planned_cost: planned, compared_cost: compared, cost } = row
      const actual = compared ?? cost
      return (
        <>
          {/* The difference is beside the cost if there is room, so that the row stays low. */}
          <span className="flex flex-wrap-reverse items-baseline justify-end gap-x-2.5">
            <CostDifference planned={planned} actual={compared} className="text-caption" />
            <Compared value={actual === null ? null : formatMoney(actual)} />
          </span>
          <span className="block text-caption text-ink-3">{notesOf(row)}</span>
        </>
      )
    },
  },
]

const Compared = ({ value, note = null }: { value: string | null; note?: string | null }) => (
  <>
    <span className="block">{value ?? <span className="text-ink-3">–</span>}</span>
    {note === null ? null : <span className="block text-caption text-ink-3">{note}</span>}
  </>
)

/** Returns the notes below the cost: `1 job without good pieces cost $7.70 · includes estimates`. */
const notesOf = (row: ReportRow): string =>
  joinFacts([
    // The notes are joined to one line, so they lose their full stops.
    ...[failureText(row), unknownText(row)].map((sentence) => sentence?.replace(/\.$/, '')),
    row.cost_is_measured === false && t('includes estimates'),
  ])

const piecesOf = ({ good, bad }: ReportRow): string => formatCount(good + bad)

/** The label with the good pieces, then cost, filament and time side by side: actual, difference and plan. */
function PhoneRow({ row }: { row: ReportRow }) {
  const cost = row.compared_cost ?? row.cost
  const notes = notesOf(row)
  return (
    <div className="px-4 py-2.5 text-label text-ink-2">
      <div className="flex items-baseline gap-3">
        <bdi className="min-w-0 flex-1 truncate text-body font-medium text-ink">{row.label}</bdi>
        <span className="shrink-0 text-caption">
          {[
            t('{good} of {good2, plural, one {# piece} other {# pieces}} good', {
              good: formatCount(row.good),
              good2: row.good + row.bad,
            }),
            yieldText(row),
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      </div>
      <dl className="mt-1 grid grid-cols-3 gap-x-3">
        <Figure
          name={t('Cost')}
          actual={cost}
          planned={row.planned_cost}
          difference={differenceText(row.planned_cost, row.compared_cost)}
          format={formatMoney}
        />
        <Figure
          name={t('Filament')}
          actual={row.used_grams}
          planned={row.planned_grams}
          difference={differenceText(row.planned_grams, row.used_grams)}
          format={formatGrams}
        />
        <Figure
          name={t('Time')}
          actual={row.print_minutes}
          planned={row.planned_minutes}
          difference={differenceText(row.planned_minutes, row.print_minutes)}
          format={formatMinutes}
        />
      </dl>
      {notes === '' ? null : <p className="mt-1 text-caption text-ink-3">{notes}</p>}
    </div>
  )
}

interface FigureProps {
  name: string
  actual: number | null
  planned: number | null
  /** The difference in percent, such as `+6 %`. */
  difference: string | null
  format: (value: number) => string
}

const Figure = ({ name, actual, planned, difference, format }: FigureProps) => (
  <div className="min-w-0">
    <dt className="text-caption text-ink-3">{name}</dt>
    <dd className="wrap-anywhere">
      <span className="font-semibold text-ink">{actual === null ? '–' : format(actual)}</span>{' '}
      {difference === null ? null : (
        <span className={`text-caption ${difference.startsWith('+') ? 'text-red-ink' : 'text-green-ink'}`}>
          {difference}
        </span>
      )}
      {planned === null ? null : (
        <span className="block text-caption text-ink-3">
          {t('planned {planned}', { planned: format(planned) })}
        </span>
      )}
    </dd>
  </div>
)
