import type { Order } from '@pegasus/contracts/orders/orders'
import { countryName } from '@/lib/format/countries.ts'

/** Shows an address in the lines of a parcel label. */
export function Address({ address }: { address: NonNullable<Order['shipping_address']> }) {
  const { name, company, line1, line2, postal_code: postalCode, city, region, country, phone } = address
  const place = [postalCode, city].filter(Boolean).join(' ')
  const lines = [name, company, line1, line2, place, region, country && countryName(country), phone].filter(
    Boolean,
  )
  return (
    <span className="block">
      {lines.map((line, index) => (
        <bdi key={index} className="block">
          {line}
        </bdi>
      ))}
    </span>
  )
}
