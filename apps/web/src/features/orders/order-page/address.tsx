import { addressLines } from '@pegasus/contracts/orders/address-lines'
import type { Order } from '@pegasus/contracts/orders/orders'
import { countryName } from '@/lib/format/countries.ts'

/** Shows an address in the lines of a parcel label. */
export const Address = ({ address }: { address: NonNullable<Order['shipping_address']> }) => (
  <span className="block">
    {addressLines(address, countryName).map((line, index) => (
      <bdi key={index} className="block">
        {line}
      </bdi>
    ))}
  </span>
)
