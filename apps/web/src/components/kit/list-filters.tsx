import { STATUS_DISPLAY } from '@pegasus/contracts/statuses'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { currentParams } from '@/lib/browser/address-state.ts'
import { type listQuery, useList } from '@/lib/http/use-list.ts'
import { SearchField } from '../filter-bar.tsx'
import type { AppliedFilter } from '../no-matches.tsx'
import { Options, Select } from '../ui/forms/select.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'

/**
 * One filter of a list: its control in the filter bar, and the texts that are shown while it is applied.
 * `Filters` is the state in the URL. `Change` is the part of that state that this filter sets.
 */
export interface ListFilter<in Filters, out Change> {
  /** Name of the form control; unique within the list. */
  name: string
  /** Renders the control in the filter bar. Leave it out if the filter is set elsewhere, such as in a dialog. */
  control?: (filters: Filters) => ReactNode
  /** Converts the control's value to state. Leave it out together with the control. */
  read?: (value: string) => Change
  /** Returns the filter's name inside a sentence: `“hook”`, `Low Stock Only`. Empty if it is not applied. */
  nameOf: (filters: Filters) => string
  /** Text of the button that removes the filter: `Clear search`. */
  clearLabel: string
  /** The state without this filter. */
  cleared: Change
}

/** The filters of one list, in the order of the filter bar. */
export type ListFilters<Filters> = readonly ListFilter<Filters, Partial<Filters>>[]

/** The search field. `label` is also its placeholder. */
export const searchFilter = (label: string): ListFilter<{ search: string }, { search: string }> => ({
  name: 'search',
  control: ({ search }) => <SearchField label={label} value={search} />,
  read: (search) => ({ search }),
  nameOf: ({ search }) => search && `“${search}”`,
  clearLabel: t('Clear search'),
  cleared: { search: '' },
})

interface SelectOption {
  value: string
  label: string
}

interface FilterSelectProps {
  name: string
  label: string
  value: string
  /**
   * Label of the first option, which has an empty value: `Any status`. Leave it out if one of the options always
   * applies.
   */
  any?: string | undefined
  options: readonly SelectOption[]
  /** Class for the width on a desktop. */
  className: string
}

/** A select of the filter bar. It keeps its own value until the filters are applied. */
export const FilterSelect = ({ name, label, value, any, options, className }: FilterSelectProps) => (
  <Select
    name={name}
    aria-label={label}
    defaultValue={value}
    className={`${className} ${any ? 'phone:min-w-[40%] phone:flex-1' : 'phone:w-full'}`}
  >
    {any ? <option value="">{any}</option> : null}
    <Options of={options.map((option) => ({ value: option.value, label: option.label }))} />
  </Select>
)

interface ChoiceOptions<Key extends string, Value extends string> {
  /** Key in the state, and name of the form control. */
  name: Key
  /** Label of the filter's control: `Status` */
  label: string
  values: readonly Value[]
  labelOf: (value: Value) => string
  /** Class for the width on a desktop. */
  className: string
}

interface ChoiceFilterOptions<Key extends string, Value extends string> extends ChoiceOptions<Key, Value> {
  /** The option that removes the filter: `Any status` */
  any: string
  /** Text of the button that removes the filter: `Clear status` */
  clearLabel: string
}

/** The select of a filter. With `any`, its first option removes the filter. */
const choiceSelect = <Key extends string, Value extends string>(
  { name, label, values, labelOf, className }: ChoiceOptions<Key, Value>,
  value: string,
  any?: string,
) => (
  <FilterSelect
    name={name}
    label={label}
    value={value}
    any={any}
    options={values.map((each) => ({ value: each, label: labelOf(each) }))}
    className={className}
  />
)

// TypeScript widens a computed key with a generic type to `string`.
const partOf = <Key extends string, Value>(name: Key, value: Value) =>
  ({ [name]: value }) as Readonly<Record<Key, Value>>

/** A filter by one of several values. In the state, null means any value. */
export function choiceFilter<Key extends string, Value extends string>(
  choice: ChoiceFilterOptions<Key, Value>,
): ListFilter<Readonly<Record<Key, Value | null>>, Readonly<Record<Key, Value | null>>> {
  const { name, values, labelOf, any, clearLabel } = choice
  return {
    name,
    control: (filters) => choiceSelect(choice, filters[name] ?? '', any),
    read: (text) => partOf(name, values.find((value) => value === text) ?? null),
    nameOf: (filters) => {
      const value = filters[name]
      return value === null ? '' : labelOf(value)
    },
    clearLabel,
    cleared: partOf(name, null),
  }
}

/** A filter by status. The options have the same names as the badges. */
export const statusFilter = <Status extends keyof typeof STATUS_DISPLAY>(
  values: readonly Status[],
  className: string,
) =>
  choiceFilter({
    name: 'status',
    label: t('Status'),
    any: t('Any status'),
    clearLabel: t('Clear status'),
    values,
    labelOf: (status: Status) => STATUS_LABELS[status],
    className,
  })

/** The order of the list as a select in the filter bar. `usual` is the default order. */
export function orderFilter<Key extends string, Value extends string>(
  choice: ChoiceOptions<Key, Value> & { usual: Value },
): ListFilter<Readonly<Record<Key, Value>>, Readonly<Record<Key, Value>>> {
  const { name, values, usual } = choice
  return {
    name,
    control: (filters) => choiceSelect(choice, filters[name]),
    read: (text) => partOf(name, values.find((value) => value === text) ?? usual),
    // An order hides no rows, so it is never the reason for an empty list.
    nameOf: () => '',
    clearLabel: '',
    cleared: partOf(name, usual),
  }
}

export interface NamedFilter extends AppliedFilter {
  /** True if the filter bar already shows the filter. */
  isInBar: boolean
}

/** Returns the filters that are applied now, each with a function that removes it. */
export const appliedFilters = <Filters,>(
  list: ListFilters<Filters>,
  filters: Filters,
  onApply: (change: Partial<Filters>) => void,
): NamedFilter[] =>
  list.flatMap(({ control, nameOf, clearLabel, cleared }) => {
    const name = nameOf(filters)
    return name === ''
      ? []
      : [{ name, clearLabel, isInBar: control !== undefined, onClear: () => onApply(cleared) }]
  })

/** Returns the state without any of the filters. All other state stays unchanged. */
export const clearedFilters = <Filters,>(list: ListFilters<Filters>): Partial<Filters> =>
  Object.assign({}, ...list.map(({ cleared }) => cleared))

/** Reads the controls when the filters are applied. A filter without a control in this form stays unchanged. */
export const readControls = <Filters,>(
  list: ListFilters<Filters>,
  field: (name: string) => string | null,
): Partial<Filters> =>
  Object.assign(
    {},
    ...list.map(({ name, read }) => {
      const value = field(name)
      return value === null ? null : read?.(value)
    }),
  )

/** Returns the filters in the URL, and a function that changes some of them. */
export function useAddressFilters<Filters>(
  read: (params: URLSearchParams) => Filters,
  write: (params: URLSearchParams, filters: Filters) => URLSearchParams,
) {
  const [params, setParams] = useSearchParams()
  return {
    params,
    setParams,
    filters: read(params),
    onApply: (change: Partial<Filters>) => {
      const now = currentParams()
      setParams(write(now, { ...read(now), ...change }))
    },
  }
}

interface ListStateOptions<Row extends { id: string }, Filters> {
  read: (params: URLSearchParams) => Filters
  /** Writes the filters into the URL. All other parameters stay. */
  write: (params: URLSearchParams, filters: Filters) => URLSearchParams
  fields: ListFilters<Filters>
  query: (filters: Filters) => ReturnType<typeof listQuery<Row>>
}

/** The state of a list page: the filters in the URL, and the rows that match them. */
export function useListState<Row extends { id: string }, Filters>({
  read,
  write,
  fields,
  query,
}: ListStateOptions<Row, Filters>) {
  const address = useAddressFilters(read, write)
  return { ...address, fields, data: useList(query(address.filters)) }
}
