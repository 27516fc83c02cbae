import { LOCATION_NAME_MAX_LENGTH, LOCATION_PATH_MAX_LENGTH } from '@pegasus/contracts/inventory/locations'
import { useQuery } from '@tanstack/react-query'
import { Input } from '@/components/ui/forms/input.tsx'
import { FieldSuggestions } from '../../../components/field-suggestions.tsx'
import { parentPath, locationsQuery } from './locations.queries.ts'

interface LocationInputProps {
  value: string
  onChange: (value: string) => void
  isDisabled?: boolean
}

/** Text input for the path of a place. Suggests existing places; a new path creates one. Needs a Field around it. */
export function LocationInput({ value, onChange, isDisabled = false }: LocationInputProps) {
  const { data } = useQuery(locationsQuery)
  const paths = (data?.items ?? []).filter(({ kind }) => kind === 'place').map(({ path }) => path)
  return (
    <FieldSuggestions options={paths}>
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
    </FieldSuggestions>
  )
}

/** Text input for the name of a bin. Suggests the bins of the given location. Needs a Field around it. */
export function BinInput({
  location,
  value,
  onChange,
  isDisabled = false,
}: LocationInputProps & { location: string }) {
  const { data } = useQuery(locationsQuery)
  const parent = location.trim().toLowerCase()
  const names = (data?.items ?? [])
    .filter(({ kind, path }) => kind === 'bin' && parentPath(path).toLowerCase() === parent)
    .map(({ name }) => name)
  return (
    <FieldSuggestions options={names}>
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
    </FieldSuggestions>
  )
}
