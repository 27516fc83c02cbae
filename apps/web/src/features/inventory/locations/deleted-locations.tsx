import type { Location } from '@pegasus/contracts/inventory/locations'
import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { daysLeft, removalOf } from '@/lib/format/trash-days.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { deletedLocationsQuery } from './locations.queries.ts'
import { useRestoreLocation } from './use-location-mutations.ts'

/** Lists the locations deleted in the last 30 days. Renders nothing if there are no such locations. */
export function DeletedLocations({ canRestore }: { canRestore: boolean }) {
  const { data } = useQuery(deletedLocationsQuery)
  const nowMs = useNow()
  const deleted = data?.items ?? []
  if (deleted.length === 0) return null
  return (
    <Card title="Deleted" aside={deleted.length} className="mt-4">
      <ul className="divide-y divide-line">
        {deleted.map((location) => (
          <li key={location.id} className="flex min-h-11 items-center gap-3 px-4 py-1.5">
            <bdi className="min-w-0 flex-1 truncate text-left" title={location.path}>
              {location.path}
            </bdi>
            {location.deleted_at ? (
              <span className="text-label text-ink-3">
                gone {daysLeft(removalOf(location.deleted_at), nowMs)}
              </span>
            ) : null}
            {canRestore ? <RestoreButton location={location} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function RestoreButton({ location }: { location: Location }) {
  const restore = useRestoreLocation()
  return (
    <Button
      size="sm"
      icon={<Undo2 size={14} strokeWidth={1.75} aria-hidden />}
      aria-label={`Restore ${location.path}`}
      isPending={restore.isPending}
      onClick={() => restore.mutate(location)}
    >
      Restore
    </Button>
  )
}
