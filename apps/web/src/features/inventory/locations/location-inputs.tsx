import { LOCATION_NAME_MAX_LENGTH, LOCATION_PATH_MAX_LENGTH } from '@pegasus/contracts/inventory/locations'
import { useQuery } from '@tanstack/react-query'
import { Input } from '@/components/ui/forms/input.tsx'
import { FieldSuggestions } from '../../../components/fields/field-suggestions.tsx'
import { parentPath, locationsQuery } from './locations.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

interface LocationInputProps {
  value: string
  onChange: (value: string) => void
  isDisabled?: boolean
}

interface SuggestedInputProps extends LocationInputProps {
  options: readonly string[]
  maxLength: number
  placeholder: string
}

const SuggestedInput = ({ options, onChange, isDisabled = false, ...props }: SuggestedInputProps) => (
  <FieldSuggestions options={options}>
    {(list) => (
      <Input
        {...props}
        list={list}
        autoComplete="off"
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </FieldSuggestions>
)

/** Text input for the path of a place. Suggests existing places; a new path creates one. Needs a Field around it. */
export function LocationInput(props: LocationInputProps) {
  const { data } = useQuery(locationsQuery)
  const paths = (data?.items ?? []).filter(({ kind }) => kind === 'place').map(({ path }) => path)
  return (
    <SuggestedInput
      {...props}
      options={paths}
      maxLength={LOCATION_PATH_MAX_LENGTH}
      placeholder={t('Rack A3')}
    />
  )
}

/** Text input for the name of a bin. Suggests the bins of the given location. Needs a Field around it. */
export function BinInput({ location, ...props }: LocationInputProps & { location: string }) {
  const { data } = useQuery(locationsQuery)
  const parent = location.trim().toLowerCase()
  const names = (data?.items ?? [])
    .filter(({ kind, path }) => kind === 'bin' && parentPath(path).toLowerCase() === parent)
    .map(({ name }) => name)
  return (
    <SuggestedInput
      {...props}
      options={names}
      maxLength={LOCATION_NAME_MAX_LENGTH}
      placeholder={t('Bin 12')}
    />
  )
}
