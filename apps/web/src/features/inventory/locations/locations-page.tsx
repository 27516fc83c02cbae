import { hasRole } from '@pegasus/contracts/roles'
import type { Location } from '@pegasus/contracts/inventory/locations'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, MapPin, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { CardState } from '@/components/card-state.tsx'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { formatNumberOf } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { withLocation, withView } from '../inventory-address.ts'
import { DeletedLocations } from './deleted-locations.tsx'
import { AddLocationDialog } from './location-dialogs.tsx'
import { LocationContents } from './location-contents.tsx'
import { LocationTree } from './location-tree.tsx'
import { locationsQuery } from './locations.queries.ts'

/** The tree of places and bins with the contents of the selected one. */
export function LocationsPage({ spoolAddress }: { spoolAddress: (id: string) => string }) {
  const [params, setParams] = useSearchParams()
  const query = useQuery(locationsQuery)
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const [isAdding, setIsAdding] = useState(false)
  const locations = query.data?.items ?? []
  const chosen = locations.find(({ id }) => id === params.get('place')) ?? null
  const open = (location: Location) => setParams(withLocation(params, location.id))
  const addButton = canChange ? (
    <Button
      variant="primary"
      icon={<Plus size={16} strokeWidth={1.75} aria-hidden />}
      onClick={() => setIsAdding(true)}
    >
      Add location
    </Button>
  ) : null
  const isEmpty = query.data?.items.length === 0
  return (
    <>
      <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <Link
          to={`?${withView(params, null)}`}
          className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ml-2`}
        >
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
          Inventory
        </Link>
        <h1 className="text-page font-[620]">Locations</h1>
        <p role="status" className="ml-1 text-ink-3">
          {query.data && !isEmpty ? formatNumberOf(query.data.total, 'location') : ''}
        </p>
        <div className="ml-auto">{isEmpty ? null : addButton}</div>
      </div>
      {isEmpty ? (
        <Card className="p-4">
          <EmptyState
            icon={<MapPin size={28} strokeWidth={1.4} aria-hidden />}
            title="No locations yet"
            titleLevel={2}
            actions={addButton}
          >
            Racks, shelves and bins, each with a code of its own for its label. Whoever scans a thing and then
            a place has moved it there. A location typed at an item is added here by itself.
          </EmptyState>
        </Card>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
          <Card>
            <h2 className="sr-only">All places and bins</h2>
            <CardState name="The locations" query={query} />
            <LocationTree
              locations={locations}
              chosenId={chosen?.id ?? null}
              addressOf={({ id }) => `?${withLocation(params, id)}`}
            />
          </Card>
          {chosen ? (
            <LocationContents
              key={chosen.id}
              location={chosen}
              locations={locations}
              spoolAddress={spoolAddress}
              onAdded={open}
            />
          ) : query.data ? (
            <p className="px-1 py-3 text-ink-3 phone:hidden">Select a location to see its contents.</p>
          ) : null}
        </div>
      )}
      <DeletedLocations canRestore={canChange} />
      {isAdding ? (
        <AddLocationDialog
          locations={locations}
          parent={null}
          onAdded={open}
          onClose={() => setIsAdding(false)}
        />
      ) : null}
    </>
  )
}
