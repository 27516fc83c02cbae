import { SearchField } from '@/components/filter-bar.tsx'
import { type ListFilters, searchFilter } from '@/components/kit/list-filters.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { formatDay } from '@/lib/format/format.ts'
import type { AuditFilters } from './audit-address.ts'
import { ACTION_GROUPS, findGroup } from './audit-groups.ts'
import { ANY_KEY, type NamedActor, PRODUCT } from './audit-names.ts'
import { t } from '@/lib/i18n/messages.ts'

const SEARCH_LABEL = t('Search name, id or address')

interface AuditFieldsProps {
  filters: AuditFilters
  people: readonly NamedActor[]
  /** The actor in the filter. A key, or an account that is not loaded yet, is missing from `people`. */
  actor: NamedActor
}

export const AuditSearch = ({ search }: Pick<AuditFilters, 'search'>) => (
  <SearchField label={SEARCH_LABEL} value={search} />
)

/** The filter fields of the audit log, without the search. */
export function AuditFields({ filters, people, actor }: AuditFieldsProps) {
  const { group, from, to } = filters
  const others = [ANY_KEY, PRODUCT]
  const isListed = actor.id === '' || [...people, ...others].some(({ id }) => id === actor.id)
  return (
    <>
      <Select
        name="action"
        aria-label={t('What')}
        defaultValue={group?.id ?? ''}
        className="w-40 phone:min-w-[40%] phone:flex-1"
      >
        <option value="">{t('Every action')}</option>
        <Options of={ACTION_GROUPS.map(({ id, label }) => ({ value: id, label }))} />
      </Select>
      <Select
        // Remount when people load, so that the actor from the URL is selected.
        key={people.length}
        name="actor"
        aria-label={t('Who')}
        defaultValue={actor.id}
        className="w-40 phone:min-w-[40%] phone:flex-1"
      >
        <option value="">{t('Everybody')}</option>
        {isListed ? null : <ActorOption {...actor} />}
        <optgroup label={t('People')}>{people.map(ActorOption)}</optgroup>
        <optgroup label={t('Programs')}>{others.map(ActorOption)}</optgroup>
      </Select>
      <div className="flex gap-2 phone:w-full">
        <DayField name="from" label={t('From')} day={from} />
        <DayField name="to" label={t('To')} day={to} />
      </div>
    </>
  )
}

const ActorOption = ({ id, name }: NamedActor) => (
  <option key={id} value={id}>
    {name}
  </option>
)

const DayField = ({ name, label, day }: { name: string; label: string; day: string }) => (
  <label className="flex items-center gap-1.5 text-label font-medium text-ink-2 phone:flex-1 phone:flex-col phone:items-stretch phone:gap-1">
    {label}
    <Input type="date" name={name} defaultValue={day} className="w-34 phone:w-full" />
  </label>
)

/**
 * Returns the filters with their texts. `thing` is the name of the object in `about`. The controls are in
 * AuditSearch and AuditFields.
 */
export const auditFilters = (actor: NamedActor, thing: string): ListFilters<AuditFilters> => [
  searchFilter(SEARCH_LABEL),
  {
    name: 'action',
    read: (id) => ({ group: findGroup(id) }),
    nameOf: ({ group }) => group?.label ?? '',
    clearLabel: t('Show every action'),
    cleared: { group: null },
  },
  {
    name: 'actor',
    read: (id) => ({ actor: id }),
    nameOf: ({ actor: id }) => id && actor.name,
    clearLabel: t('Show everybody'),
    cleared: { actor: '' },
  },
  {
    name: 'about',
    nameOf: ({ about }) => about && thing,
    clearLabel: t('Show everything'),
    cleared: { about: '' },
  },
  dayFilter('from', t('Clear first day')),
  dayFilter('to', t('Clear last day')),
]

const dayFilter = (name: 'from' | 'to', clearLabel: string): ListFilters<AuditFilters>[number] => ({
  name,
  read: (day) => ({ [name]: day }),
  nameOf: ({ [name]: day }) =>
    day &&
    (name === 'from'
      ? t('days from {day}', { day: formatDay(day) })
      : t('days to {day}', { day: formatDay(day) })),
  clearLabel,
  cleared: { [name]: '' },
})
