import type { Order } from '@pegasus/contracts/orders/orders'
import { FieldSuggestions } from '@/components/fields/field-suggestions.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { countryCode, countryName, countryNames } from '@/lib/format/countries.ts'
import type { FieldErrors, FormText } from '@/lib/forms/form-merge.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** The form's fields of an address, with their names in the API. */
const ADDRESS = {
  name: { label: t('Name on the parcel'), className: 'col-span-3' },
  company: { label: t('Company'), className: 'col-span-3' },
  line1: { label: t('Street and number'), className: 'col-span-3' },
  line2: { label: t('Second line'), className: 'col-span-3' },
  postal_code: { label: t('Postal code'), className: 'col-span-2 phone:col-span-3' },
  city: { label: t('City'), className: 'col-span-4 phone:col-span-3' },
  region: { label: t('State or region'), className: 'col-span-2 phone:col-span-3' },
  country: { label: t('Country'), className: 'col-span-2 phone:col-span-3' },
  phone: { label: t('Phone'), className: 'col-span-2 phone:col-span-6' },
} as const
type AddressName = keyof typeof ADDRESS
export type AddressField = `address_${AddressName}`

const NAMES = Object.keys(ADDRESS) as AddressName[]
const fieldOf = (name: AddressName): AddressField => `address_${name}`

const record = <Value,>(valueOf: (name: AddressName) => Value) =>
  Object.fromEntries(NAMES.map((name) => [fieldOf(name), valueOf(name)])) as Record<AddressField, Value>

const NO_COUNTRY = '?'

export const ADDRESS_LABELS: Readonly<Record<AddressField, string>> = record((name) => ADDRESS[name].label)

/** Returns the texts of an address. The country is its name in the person's language. */
export const addressForm = (address: Order['shipping_address']): FormText<AddressField> =>
  record((name) => {
    const value = address?.[name] ?? ''
    return name === 'country' && value ? countryName(value) : value
  })

/**
 * Converts the form to an address for the API. An empty field becomes null, and a country its code. A text that is not
 * a country becomes a code that the schema refuses.
 */
export const wireAddress = (form: FormText<AddressField>) =>
  Object.fromEntries(
    NAMES.map((name) => {
      const typed = form[fieldOf(name)].trim() || null
      return [name, name === 'country' && typed ? (countryCode(typed) ?? NO_COUNTRY) : typed]
    }),
  )

/** Returns the errors of an address, each at its field. */
export const addressErrors = (
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): FieldErrors<AddressField> => {
  const found: FieldErrors<AddressField> = {}
  for (const { path, message } of issues) {
    const name = NAMES.find((each) => path[0] === 'shipping_address' && each === path[1])
    if (name)
      found[fieldOf(name)] ??=
        name === 'country'
          ? t('No country has this name. Choose a country from the list, or enter two letters such as DE.')
          : serverText(message)
  }
  return found
}

interface AddressFieldsProps {
  field: (name: AddressField) => object
  input: (name: AddressField) => object
  change: (part: Partial<FormText<AddressField>>) => void
}

/** The fields for the shipping address. */
export const AddressFields = ({ field, input, change }: AddressFieldsProps) => (
  <fieldset className="mt-4">
    <legend className="mb-2 font-semibold">{t('Ship to')}</legend>
    <div className="grid grid-cols-6 items-start gap-4">
      {NAMES.map((name) => (
        <Field
          key={name}
          label={ADDRESS[name].label}
          className={`${ADDRESS[name].className} ${name.startsWith('line') || name === 'name' || name === 'company' ? 'phone:col-span-6' : ''}`}
          {...(name === 'country' && { hint: t('Name, or two letters such as DE') })}
          {...field(fieldOf(name))}
        >
          {name === 'country' ? (
            <CountryInput
              input={input(fieldOf(name))}
              onName={(country) => change({ address_country: country })}
            />
          ) : (
            <Input {...input(fieldOf(name))} maxLength={200} autoComplete="off" dir="auto" />
          )}
        </Field>
      ))}
    </div>
  </fieldset>
)

interface CountryInputProps {
  input: object
  /** Gets the name of the country that was typed, when the person leaves the field. */
  onName: (country: string) => void
}

const CountryInput = ({ input, onName }: CountryInputProps) => (
  <FieldSuggestions options={countryNames()}>
    {(listId) => (
      <Input
        {...input}
        list={listId}
        maxLength={200}
        autoComplete="off"
        dir="auto"
        onBlur={({ target }) => {
          const code = countryCode(target.value)
          if (code && countryName(code) !== target.value) onName(countryName(code))
        }}
      />
    )}
  </FieldSuggestions>
)
