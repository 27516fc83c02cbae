import { hasRole } from '@pegasus/contracts/roles'
import type { Location } from '@pegasus/contracts/inventory/locations'
import { useQuery } from '@tanstack/react-query'
import { MapPin, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { CardState } from '@/components/card-state.tsx'
import { MainAction } from '@/components/kit/main-action.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { withLocation, withView } from '../inventory-address.ts'
import { AddLocationDialog } from './location-dialogs.tsx'
import { LocationContents } from './location-contents.tsx'
import { buildLocationTree } from './build-location-tree.ts'
import { LocationTree } from './location-tree.tsx'
import { locationsQuery, deletedLocationsQuery } from './locations.queries.ts'
import { daysLeft, removalOf } from '@/lib/format/trash-days.ts'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { BackLink } from '@/components/ui/actions/back-link.tsx'
import { UndoButton } from '@/components/ui/actions/undo-button.tsx'
import { useLocationTrash } from './use-location-mutations.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The tree of places and bins with the contents of the selected one. */
export function LocationsPage({ spoolAddress }: { spoolAddress: (id: string) => string }) {
  const [params, setParams] = useSearchParams()
  const query = useQuery(locationsQuery)
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const [isAdding, setIsAdding] = useState(false)
  const locations = query.data?.items ?? []
  const isPhone = useIsPhone()
  const asked = locations.find(({ id }) => id === params.get('place')) ?? null
  // On a wide screen the contents are beside the tree, so the first location is selected by default.
  const chosenLocation = asked ?? (isPhone ? null : (buildLocationTree(locations)[0]?.location ?? null))
  const openLocation = (location: Location) => setParams(withLocation(params, location.id))
  const addButton = canChange ? (
    <Button
      variant="primary"
      icon={<Plus size={16} strokeWidth={1.75} aria-hidden />}
      onClick={() => setIsAdding(true)}
    >
      {t('Add location')}
    </Button>
  ) : null
  const isEmpty = query.data?.items.length === 0
  return (
    <>
      <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <BackLink to={`?${withView(params, null)}`}>{t('Inventory')}</BackLink>
        <h1 className="text-page font-[620]">{t('Locations')}</h1>
        <p role="status" className="ms-1 text-ink-3">
          {query.data && !isEmpty
            ? t('{total, plural, one {# location} other {# locations}}', { total: query.data.total })
            : ''}
        </p>
        <div className="ms-auto">
          {canChange && !isEmpty ? (
            <MainAction
              label={t('Add location')}
              icon={<Plus size={16} strokeWidth={1.75} aria-hidden />}
              onClick={() => setIsAdding(true)}
            />
          ) : null}
        </div>
      </div>
      {isEmpty ? (
        <Card className="p-4">
          <EmptyState
            icon={<MapPin size={28} strokeWidth={1.4} aria-hidden />}
            title={t('No locations yet')}
            titleLevel={2}
            actions={addButton}
          >
            {t(
              'Racks, shelves and bins, each with a code for its label. Scan an item and then a location to move the item there. A new location that you enter for an item is added here automatically.',
            )}
          </EmptyState>
        </Card>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
          <Card>
            <h2 className="sr-only">{t('All places and bins')}</h2>
            <CardState
              error={t('The locations could not be loaded.')}
              loading={t('The locations: loading')}
              query={query}
            />
            <LocationTree
              locations={locations}
              chosenId={chosenLocation?.id ?? null}
              addressOf={({ id }) => `?${withLocation(params, id)}`}
            />
          </Card>
          {chosenLocation ? (
            <LocationContents
              key={chosenLocation.id}
              location={chosenLocation}
              locations={locations}
              spoolAddress={spoolAddress}
              onAdded={openLocation}
            />
          ) : null}
        </div>
      )}
      <DeletedLocations canRestore={canChange} />
      {isAdding ? (
        <AddLocationDialog
          locations={locations}
          parent={null}
          onAdded={openLocation}
          onClose={() => setIsAdding(false)}
        />
      ) : null}
    </>
  )
}

/** Lists the locations deleted in the last 30 days. Renders nothing if there are no such locations. */
function DeletedLocations({ canRestore }: { canRestore: boolean }) {
  const { data } = useQuery(deletedLocationsQuery)
  const nowMs = useNow()
  const deleted = data?.items ?? []
  if (deleted.length === 0) return null
  return (
    <Card title={t('Deleted')} aside={deleted.length} className="mt-4">
      <ul className="divide-y divide-line">
        {deleted.map((location) => (
          <li key={location.id} className="flex min-h-11 items-center gap-3 px-4 py-1.5">
            <bdi className="min-w-0 flex-1 truncate" title={location.path}>
              {location.path}
            </bdi>
            {location.deleted_at ? (
              <span className="text-label text-ink-3">
                {t('removed {daysLeft}', { daysLeft: daysLeft(removalOf(location.deleted_at), nowMs) })}
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
  const { restore } = useLocationTrash()
  return (
    <UndoButton
      aria-label={t('Restore {path}', { path: location.path })}
      isPending={restore.isPending}
      onClick={() => restore.mutate(location)}
    >
      {t('Restore')}
    </UndoButton>
  )
}
