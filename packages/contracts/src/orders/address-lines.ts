import type { ShippingAddress } from './order-body.ts'

type Place = Pick<ShippingAddress, 'city' | 'region' | 'postal_code'>
type Text = string | null | undefined

const joined = (separator: string, ...parts: Text[]): string => parts.filter(Boolean).join(separator)

const inOneLine =
  (separator: string) =>
  ({ city, region, postal_code: code }: Partial<Place>): Text[] => [
    joined(' ', joined(separator, city, region), code),
  ]

const postcodeLast = ({ city, region, postal_code: code }: Partial<Place>): Text[] => [city, region, code]

const postcodeFirst = ({ city, region, postal_code: code }: Partial<Place>): Text[] => [
  joined(' ', code, city),
  region,
]

/** The lines with town, region and postcode, as the postal service of each country wants them. */
const PLACES: Readonly<Record<string, (place: Partial<Place>) => Text[]>> = {
  US: inOneLine(', '),
  PR: inOneLine(', '),
  CA: inOneLine(' '),
  AU: inOneLine(' '),
  NZ: inOneLine(' '),
  GB: postcodeLast,
  IE: postcodeLast,
}

/** Replaces an outdated country code, such as UK by GB. */
const currentCode = (code: string): string => new Intl.Locale('und', { region: code }).region ?? code

/**
 * Returns the lines of an address in the order that is usual in its country, for labels and for the screen. If the
 * country is missing or not in the table, the postcode comes before the town. `countryName` converts a country code to
 * a name.
 */
export function addressLines(
  address: Partial<ShippingAddress>,
  countryName: (code: string) => string,
): string[] {
  const { name, company, line1, line2, country, phone } = address
  const placeLines = (country && PLACES[currentCode(country)]) || postcodeFirst
  const lines = [name, company, line1, line2, ...placeLines(address), country && countryName(country), phone]
  return lines.filter((line): line is string => typeof line === 'string' && line !== '')
}
