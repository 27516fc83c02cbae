import { LOCATION_NAME_MAX_LENGTH, LOCATION_PATH_MAX_LENGTH } from '@pegasus/contracts/inventory/locations'
import { useQuery } from '@tanstack/react-query'
import { Input } from '@/components/ui/forms/input.tsx'
import { Offered } from '../items/field-suggestions.tsx'
import { parentPath, locationsQuery } from './locations.queries.ts'

interface PlaceInputProps {
  value: string
  onChange: (value: string) => void
  isDisabled?: boolean
}

/** A place by its path; those that there are are offered, another is made. Inside a Field. */
export function LocationInput({ value, onChange, isDisabled = false }: PlaceInputProps) {
  const { data } = useQuery(locationsQuery)
  const paths = (data?.items ?? []).filter(({ kind }) => kind === 'place').map(({ path }) => path)
  return (
    <Offered options={paths}>
      {(list) => (
        <Input
          value={value}
          list={list}
          maxLength={LOCATION_PATH_MAX_LENGTH}
          placeholder="Rack A3"
          autoComplete="off"
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Offered>
  )
}

/** A bin by its name; those of the place are offered. Inside a Field. */
export function BinInput({
  location,
  value,
  onChange,
  isDisabled = false,
}: PlaceInputProps & { location: string }) {
  const { data } = useQuery(locationsQuery)
  const place = location.trim().toLowerCase()
  const names = (data?.items ?? [])
    .filter(({ kind, path }) => kind === 'bin' && parentPath(path).toLowerCase() === place)
    .map(({ name }) => name)
  return (
    <Offered options={names}>
      {(list) => (
        <Input
          value={value}
          list={list}
          maxLength={LOCATION_NAME_MAX_LENGTH}
          placeholder="Bin 12"
          autoComplete="off"
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Offered>
  )
}
