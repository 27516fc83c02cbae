import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { SearchField } from '@/components/filter-bar.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { cx } from '@/lib/class-names.ts'
import type { AuditFilters } from './audit-address.ts'
import { ACTION_GROUPS, findGroup } from './audit-groups.ts'
import { ANY_KEY, type NamedActor, PRODUCT } from './audit-names.ts'

interface AuditFieldsProps {
  filters: AuditFilters
  people: readonly NamedActor[]
  /** The filtered actor, who may be missing in the list: a key, or an account not loaded yet. */
  actor: NamedActor
}

/** The filters of the audit. On a phone all but the search are folded, so that the list starts near the top. */
export function AuditFields({ filters, people, actor }: AuditFieldsProps) {
  const { search, group, from, to } = filters
  const [isUnfolded, setIsUnfolded] = useState(() => Boolean(group || actor.id || from || to))
  const others = [ANY_KEY, PRODUCT]
  const isListed = actor.id === '' || [...people, ...others].some(({ id }) => id === actor.id)
  return (
    <>
      <SearchField label="Search name, id or address" value={search} />
      <div
        className={cx(
          'flex-wrap items-center gap-2 sm:contents phone:w-full',
          isUnfolded ? 'phone:flex' : 'phone:hidden',
        )}
      >
        <Select
          name="action"
          aria-label="What"
          defaultValue={group?.id ?? ''}
          className="w-40 phone:min-w-[40%] phone:flex-1"
        >
          <option value="">Every action</option>
          <Options of={ACTION_GROUPS.map(({ id, label }) => ({ value: id, label }))} />
        </Select>
        <Select
          // Remount when people load, so that the actor from the URL is selected.
          key={people.length}
          name="actor"
          aria-label="Who"
          defaultValue={actor.id}
          className="w-40 phone:min-w-[40%] phone:flex-1"
        >
          <option value="">Everybody</option>
          {isListed ? null : <ActorOption {...actor} />}
          <optgroup label="People">{people.map(ActorOption)}</optgroup>
          <optgroup label="Programs">{others.map(ActorOption)}</optgroup>
        </Select>
        <div className="flex gap-2 phone:w-full">
          <DayField name="from" label="From" day={from} />
          <DayField name="to" label="To" day={to} />
        </div>
      </div>
      <Button
        aria-expanded={isUnfolded}
        onClick={() => setIsUnfolded(!isUnfolded)}
        icon={<ListFilter size={16} strokeWidth={1.75} aria-hidden />}
        className="phone:flex-1 phone:basis-[55%] sm:hidden"
      >
        Filters
      </Button>
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

/** The fields as filters. */
export const readFields = (field: (name: string) => string): Omit<AuditFilters, 'about'> => ({
  search: field('search'),
  group: findGroup(field('action')),
  actor: field('actor'),
  from: field('from'),
  to: field('to'),
})
