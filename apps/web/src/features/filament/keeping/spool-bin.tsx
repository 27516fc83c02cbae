import { hasRole } from '@pegasus/contracts/roles'
import { BinView } from '@/components/bin-view.tsx'
import { formatGrams } from '@/lib/format.ts'
import { useCurrentUser } from '@/lib/session.ts'
import { binQuery } from '../filament.queries.ts'
import { useSpoolDeeds } from './use-spool-deeds.ts'

/** Spools that were deleted in the last 30 days, and the way back. */
export function SpoolBin({ backTo }: { backTo: string }) {
  const canRestore = hasRole(useCurrentUser().role, 'staff')
  const { restore } = useSpoolDeeds()
  return (
    <BinView
      query={binQuery}
      back={{ to: backTo, name: 'Filament' }}
      one="spool"
      note="with their ledger"
      head="Spool"
      columns={[
        {
          id: 'left',
          head: 'Left',
          track: '100px',
          isNumber: true,
          from: 760,
          cell: ({ remaining_grams: grams }) => formatGrams(grams),
        },
      ]}
      nameOf={({ label_code: label }) => label}
      row={({ label_code: label, material, brand, name, color }) => (
        <div className="min-w-0">
          <p className="truncate font-medium">
            <bdi>{[brand, name, color].filter(Boolean).join(' ')}</bdi>
          </p>
          <p className="truncate text-caption text-ink-3">
            <span className="code">{label}</span> · {material}
          </p>
        </div>
      )}
      onRestore={canRestore ? (spool) => restore.mutate(spool) : undefined}
    />
  )
}
