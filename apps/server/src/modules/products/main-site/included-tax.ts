import { currencyDecimals } from '@pegasus/contracts/money'

/** A line with a price that includes tax. `tax_rate` is, for example, 0.19. */
interface TaxedLine {
  quantity: number
  unit_price: number
  tax_rate: number
}

/** The amounts of an order. All except the tax include tax. */
interface GrossAmounts<Line extends TaxedLine> {
  total_amount: number
  shipping_amount: number
  tax_amount: number
  discount_amount: number
  items: readonly Line[]
}

/**
 * Subtracts the included tax from the prices, the shipping and the discount of an order. The sum (lines plus shipping
 * plus tax minus discount) must stay exactly the same. Net prices are rounded to the decimals of the currency, so the
 * discount absorbs the remainder or, without a discount, the shipping does. A remainder that is too large to come from
 * rounding is not absorbed, so that the order shows it as a difference.
 */
export function withoutTaxInPrices<Line extends TaxedLine>(
  { items, ...gross }: GrossAmounts<Line>,
  shippingRate: number,
  currency: string,
) {
  const factor = 10 ** currencyDecimals(currency || 'USD')
  const toUnits = (amount: number) => Math.round(amount * factor)
  const net = items.map((line) => ({ line, price: toUnits(line.unit_price / (1 + line.tax_rate)) }))
  const [grossShipping, grossDiscount] = [toUnits(gross.shipping_amount), toUnits(gross.discount_amount)]
  const grossLines = items.reduce((sum, line) => sum + line.quantity * toUnits(line.unit_price), 0)
  const netLines = net.reduce((sum, { line, price }) => sum + line.quantity * price, 0)
  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0)
  let shipping = toUnits(grossShipping / factor / (1 + shippingRate))
  /** The discount with which the sum of the net amounts equals that of the gross amounts. */
  const rest = netLines + shipping + toUnits(gross.tax_amount) - grossLines - grossShipping + grossDiscount
  // Rounding can change each price and each amount of tax by at most one unit.
  const rounding = pieces + items.length + 2
  // The tax rate of the discount is unknown, because it depends on the lines for which the discount was given.
  const highestRate = Math.max(shippingRate, ...items.map((line) => line.tax_rate))
  const lowestDiscount = Math.max(0, grossDiscount / (1 + highestRate) - rounding)
  let discount = grossDiscount
  if (grossDiscount > 0 && rest >= lowestDiscount && rest <= grossDiscount + rounding) discount = rest
  else if (grossDiscount > 0)
    discount = Math.round(grossDiscount * (grossLines > 0 ? netLines / grossLines : 1))
  else if (Math.abs(rest) <= rounding) {
    discount = Math.max(0, rest - shipping)
    shipping = Math.max(0, shipping - rest)
  }
  return {
    ...gross,
    shipping_amount: shipping / factor,
    discount_amount: discount / factor,
    items: net.map(({ line: { tax_rate: _rate, ...line }, price }) => ({
      ...line,
      unit_price: price / factor,
    })),
  }
}
