import { expect, it } from 'vitest'
import { addressLines } from './address-lines.ts'

const linesIn = (country: string | null, city: string, region: string | null, postalCode: string) =>
  addressLines(
    {
      name: 'Ada',
      company: null,
      line1: '1 Square',
      city,
      region,
      postal_code: postalCode,
      country,
      phone: '1',
    },
    (code) => `country ${code}`,
  )

it.each([
  ['US', 'San Francisco', 'CA', '94105', ['San Francisco, CA 94105']],
  ['CA', 'Montreal', 'QC', 'H3Z 2Y7', ['Montreal QC H3Z 2Y7']],
  ['AU', 'Sydney', 'NSW', '2000', ['Sydney NSW 2000']],
  ['NZ', 'Wellington', null, '6011', ['Wellington 6011']],
  ['GB', 'London', null, 'SW1Y 4JH', ['London', 'SW1Y 4JH']],
  ['GB', 'Oxted', 'Surrey', 'RH8 0AA', ['Oxted', 'Surrey', 'RH8 0AA']],
  ['UK', 'London', null, 'SW1Y 4JH', ['London', 'SW1Y 4JH']],
  ['IE', 'Galway', 'Co. Galway', 'H91 XX00', ['Galway', 'Co. Galway', 'H91 XX00']],
  ['DE', 'Berlin', null, '10115', ['10115 Berlin']],
  ['FR', 'Paris', null, '75001', ['75001 Paris']],
  ['ES', 'Getafe', 'Madrid', '28901', ['28901 Getafe', 'Madrid']],
  [null, 'Wien', null, '1010', ['1010 Wien']],
])(
  'an address in %s has its town, region and postcode in the order of the country: %s %s',
  (country, city, region, code, place) => {
    const last = country === null ? ['1'] : [`country ${country}`, '1']
    expect(linesIn(country, city, region, code)).toEqual(['Ada', '1 Square', ...place, ...last])
  },
)

it('an address has a line for each part that it has, and none for a missing one', () => {
  expect(addressLines({ country: 'US', region: 'CA' }, () => 'USA')).toEqual(['CA', 'USA'])
  expect(addressLines({ country: 'US', city: 'Reno', postal_code: '89501' }, () => 'USA')).toEqual([
    'Reno 89501',
    'USA',
  ])
  expect(addressLines({ country: 'GB', postal_code: 'SW1Y 4JH' }, () => 'UK')).toEqual(['SW1Y 4JH', 'UK'])
  expect(addressLines({}, () => '')).toEqual([])
})
