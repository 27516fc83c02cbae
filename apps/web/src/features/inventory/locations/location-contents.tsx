import { hasRole } from '@pegasus/contracts/roles'
import type { Location, LocationContents } from '@pegasus/contracts/inventory/locations'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Printer, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { CardState } from '@/components/card-state.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { printLabels } from '@/lib/labels/print-labels.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { NO_FILTERS, withFilters, withItem, withLocation, withView } from '../inventory-address.ts'
import { AddLocationDialog, EditLocationDialog } from './location-dialogs.tsx'
import { contentsQuery } from './locations.queries.ts'
import { useLocationTrash } from './use-location-mutations.ts'
import { SMALL_ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

interface LocationContentsProps {
  location: Location
  locations: readonly Location[]
  spoolAddress: (id: string) => string
  onAdded: (location: Location) => void
}

/** The contents of a location and of all locations inside it, with its actions. */
export function LocationContents({ location, locations, spoolAddress, onAdded }: LocationContentsProps) {
  const [params] = useSearchParams()
  const contents = useQuery(contentsQuery(location.id))
  const listAddress = `?${withFilters(withView(params, null), { ...NO_FILTERS, location: location.id })}`
  return (
    <section
      aria-label={location.path}
      className="min-w-0 rounded-card border border-line bg-surface lg:sticky lg:top-28 max-lg:order-first"
    >
      <div className="border-b border-line px-4 py-3">
        <div className="flex items-start gap-3">
          <h2 className="min-w-0 flex-1 text-dialog font-[620] wrap-anywhere">
            <bdi>{location.path}</bdi>
          </h2>
          <span className="mt-0.5 text-label text-ink-3 code">{location.label_code}</span>
        </div>
        {location.notes ? (
          <p className="mt-1 text-label whitespace-pre-line text-ink-2 wrap-anywhere" dir="auto">
            {location.notes}
          </p>
        ) : null}
        <LocationActions location={location} locations={locations} onAdded={onAdded} />
      </div>
      <CardState
        error={t('The contents could not be loaded.')}
        loading={t('The contents: loading')}
        query={contents}
      />
      {contents.data ? (
        <Contents
          contents={contents.data}
          location={location}
          itemAddress={(id) => `?${withItem(withView(params, null), id)}`}
          spoolAddress={spoolAddress}
          listAddress={listAddress}
        />
      ) : null}
    </section>
  )
}

function LocationActions({ location, locations, onAdded }: Omit<LocationContentsProps, 'spoolAddress'>) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const [params, setParams] = useSearchParams()
  const [open, setOpen] = useState<'add' | 'edit' | null>(null)
  const { remove } = useLocationTrash()
  if (!canChange) return null
  return (
    <div className="mt-2.5 flex flex-wrap items-center gap-2">
      {location.kind === 'place' ? (
        <Button size="sm" icon={<Plus {...SMALL_ICON} />} onClick={() => setOpen('add')}>
          {t('Add inside')}
        </Button>
      ) : null}
      <Button size="sm" icon={<Pencil {...SMALL_ICON} />} onClick={() => setOpen('edit')}>
        {t('Rename or move')}
      </Button>
      <Button
        size="sm"
        icon={<Printer {...SMALL_ICON} />}
        onClick={() => printLabels([{ kind: 'location', id: location.id }])}
      >
        {t('Print label')}
      </Button>
      <IconButton
        label={t('Delete {path}', { path: location.path })}
        size="sm"
        className="ms-auto text-red-ink!"
        disabled={remove.isPending}
        onClick={() => remove.mutate(location, { onSuccess: () => setParams(withLocation(params, null)) })}
      >
        <Trash2 {...SMALL_ICON} />
      </IconButton>
      {open === 'add' ? (
        <AddLocationDialog
          locations={locations}
          parent={location}
          onAdded={onAdded}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {open === 'edit' ? (
        <EditLocationDialog locations={locations} location={location} onClose={() => setOpen(null)} />
      ) : null}
    </div>
  )
}

interface ContentsProps {
  contents: LocationContents
  location: Location
  itemAddress: (id: string) => string
  spoolAddress: (id: string) => string
  listAddress: string
}

function Contents({ contents, location, itemAddress, spoolAddress, listAddress }: ContentsProps) {
  const { items, spools, printers } = contents
  if (items.length + spools.length + printers.length === 0)
    return <p className="px-4 py-3 text-ink-3">{t('This location is empty.')}</p>
  const below = (path: string) =>
    path === location.path ? null : path.slice(location.path.length).replace(/^ \/ /, '')
  return (
    <>
      {items.length > 0 ? (
        <Group
          name={t('{items, plural, one {# item} other {# items}}', { items: items.length })}
          aside={
            <Link to={listAddress} className="link">
              {t('Show as a list')}
            </Link>
          }
        >
          {items.map(({ id, name, sku, quantity, location_path: path }) => (
            <Row key={id} to={itemAddress(id)} name={name} code={sku} subpath={below(path)}>
              <strong className="font-semibold">{formatCount(quantity)}</strong>
            </Row>
          ))}
        </Group>
      ) : null}
      {spools.length > 0 ? (
        <Group name={t('{spools, plural, one {# spool} other {# spools}}', { spools: spools.length })}>
          {spools.map(({ id, name, label_code: code, location_path: path }) => (
            <Row key={id} to={spoolAddress(id)} name={name} code={code} subpath={below(path)} />
          ))}
        </Group>
      ) : null}
      {printers.length > 0 ? (
        <Group
          name={t('{printers, plural, one {# printer} other {# printers}}', { printers: printers.length })}
        >
          {printers.map(({ id, name, location_path: path }) => (
            <Row key={id} to={null} name={name} code={null} subpath={below(path)} />
          ))}
        </Group>
      ) : null}
    </>
  )
}

const Group = ({ name, aside, children }: { name: string; aside?: ReactNode; children: ReactNode }) => (
  <>
    <h3 className="flex justify-between gap-3 px-4 pt-3 pb-1 text-label font-medium text-ink-2">
      {name}
      {aside}
    </h3>
    <ul className="divide-y divide-line border-b border-line last:border-b-0">{children}</ul>
  </>
)

interface RowProps {
  to: string | null
  name: string
  code: string | null
  /** Path relative to the shown location; null if the row is directly in that location. */
  subpath: string | null
  children?: ReactNode
}

const Row = ({ to, name, code, subpath, children }: RowProps) => (
  <li className="relative flex min-h-11 items-center gap-3 px-4 py-1.5 hover:bg-hover">
    <div className="min-w-0 flex-1">
      {to ? (
        <Link to={to} title={name} className="block truncate font-medium after:absolute after:inset-0">
          <bdi className="block truncate">{name}</bdi>
        </Link>
      ) : (
        <p className="truncate font-medium">
          <bdi className="block truncate">{name}</bdi>
        </p>
      )}
      {code ? <p className="truncate text-caption text-ink-3 code">{code}</p> : null}
    </div>
    {subpath ? (
      <bdi className="max-w-[40%] truncate text-label text-ink-2" title={subpath}>
        {subpath}
      </bdi>
    ) : null}
    <span className="min-w-12 text-end">{children}</span>
  </li>
)
