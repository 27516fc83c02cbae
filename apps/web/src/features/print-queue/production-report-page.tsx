import type { ProductionGroup } from '@pegasus/contracts/print-queue/production-report'
import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { AccessDenied } from '@/components/access-denied.tsx'
import { ListError } from '@/components/list-error.tsx'
import { gramsText, minutesText, yieldText } from '@/components/production/production-texts.ts'
import { productionQuery } from '@/components/production/production.queries.ts'
import { ReportHead } from '@/components/page-head.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { formatCount, formatNumberOf } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { useCurrentUser } from '@/lib/session/session.ts'

const LABELS: Readonly<Record<ProductionGroup, string>> = { item: 'Items', order: 'Orders', month: 'Months' }

/** Compares the planned and the actual values of all prints in the last twelve months. */
export function ProductionPage({ backTo }: { backTo: string }) {
  const canSee = hasRole(useCurrentUser().role, 'staff')
  usePageTitle('Planned and actual')
  return canSee ? <Report backTo={backTo} /> : <AccessDenied />
}

function Report({ backTo }: { backTo: string }) {
  const [by, setBy] = useState<ProductionGroup>('item')
  const query = useQuery(productionQuery({ by }))
  const rows = query.data
  return (
    <>
      <ReportHead backTo={backTo} backLabel="Schedule" title="Planned and actual">
        <SegmentedControl
          className="phone:w-full phone:*:flex-1 phone:*:justify-center"
          label="Rows"
          value={by}
          options={LABELS}
          onChange={setBy}
        />
      </ReportHead>
      <ListError name="The report" list={query} />
      <Card>
        {rows === undefined ? (
          query.isError ? null : (
            <SkeletonLines label="Loading the report" lineClass="h-11" />
          )
        ) : rows.length === 0 ? (
          <div className="p-4">
            <EmptyState
              icon={<ChartColumn size={28} strokeWidth={1.4} aria-hidden />}
              title="Nothing was printed yet"
              titleLevel={2}
            >
              This page compares the plates of the last twelve months with their estimates.
            </EmptyState>
          </div>
        ) : (
          <ul className="divide-y divide-line" aria-label={LABELS[by]}>
            {rows.map((row) => (
              <li key={row.key} className="flex flex-wrap items-baseline gap-x-6 gap-y-0.5 px-4 py-2.5">
                <bdi className="min-w-48 flex-1 text-left font-medium wrap-anywhere">{row.label}</bdi>
                <span className="w-52 text-label text-ink-2">
                  {formatCount(row.good)} of {formatNumberOf(row.good + row.bad, 'piece')} good
                  {yieldText(row) ? `, ${yieldText(row)}` : null}
                </span>
                <span className="w-64 text-label text-ink-2">{gramsText(row) ?? 'No filament reported'}</span>
                <span className="w-72 text-label text-ink-2">{minutesText(row) ?? 'No time reported'}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  )
}
