import { currencyDecimals, toMinor } from '@pegasus/contracts/money'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { ReactNode } from 'react'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import type { FieldErrors, FormText } from '@/lib/forms/form-merge.ts'
import { amountText, typedNumber } from '@/lib/forms/typed-number.ts'
import { formatMoney } from '@/lib/format/format.ts'
import { useConfig } from '@/lib/http/config.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

export const AMOUNT_LABELS = {
  shipping_amount: t('Shipping'),
  surcharge_amount: t('Surcharges'),
  kept_amount: t('Kept from refunds'),
  tax_amount: t('Tax'),
  discount_amount: t('Discount'),
  fee_amount: t('Fees'),
} as const
export type AmountField = keyof typeof AMOUNT_LABELS

const NAMES = Object.keys(AMOUNT_LABELS) as AmountField[]
const HINTS: Partial<Record<AmountField, string>> = {
  kept_amount: t('Part of the surcharges'),
  fee_amount: t('Not part of the total'),
}
const HIGHEST = 1_000_000_000

const record = <Value,>(valueOf: (name: AmountField) => Value) =>
  Object.fromEntries(NAMES.map((name) => [name, valueOf(name)])) as Record<AmountField, Value>

export const amountForm = (order: Pick<Order, AmountField> | null): FormText<AmountField> =>
  record((name) => amountText(order?.[name] ?? null))

/** Converts the amounts for the API. An empty field becomes null. */
export const wireAmounts = (form: FormText<AmountField>) => record((name) => typedNumber(form[name]))

/** Returns what is wrong with a typed amount, or null if it is valid. An empty text is valid. */
export function amountProblem(text: string, currency: string): string | null {
  const amount = typedNumber(text)
  if (amount === null) return null
  if (Number.isNaN(amount)) return t('Enter only a number. It is an amount in {currency}.', { currency })
  if (amount < 0) return t('Enter an amount of 0 or more.')
  if (amount > HIGHEST) return t('Enter at most {HIGHEST}.', { HIGHEST: formatMoney(HIGHEST) })
  if (toMinor(amount, currency) !== null) return null
  const decimals = currencyDecimals(currency)
  return decimals === 0
    ? t('Amounts in {currency} have no decimals.', { currency })
    : t('Amounts in {currency} have at most {decimals} decimals.', { currency, decimals })
}

/** Returns the errors of the amounts, each at its field, or null if all are valid. */
export function amountErrors(form: FormText<AmountField>, currency: string): FieldErrors<AmountField> | null {
  const found = NAMES.flatMap((name) => {
    const problem = amountProblem(form[name], currency)
    return problem === null ? [] : [[name, problem] as const]
  })
  return found.length === 0 ? null : (Object.fromEntries(found) as FieldErrors<AmountField>)
}

/**
 * Returns shipping plus surcharges plus tax minus discount; NaN while an amount is invalid. Fees are not part of a
 * total. The surcharges include the money that the shop kept when it refunded pieces.
 */
export function sumOfAmounts(form: FormText<AmountField>): number {
  const amounts = wireAmounts(form)
  const { shipping_amount: shipping, surcharge_amount: surcharges } = amounts
  const { tax_amount: tax, discount_amount: discount } = amounts
  return (shipping ?? 0) + (surcharges ?? 0) + (tax ?? 0) - (discount ?? 0)
}

interface AmountFieldsProps {
  field: (name: AmountField, hint?: ReactNode) => object
  input: (name: AmountField) => object
  /** Whether the order is new. Then no pieces were refunded. */
  isNew?: boolean
  /** Whether pieces were shipped. The discount is then part of the price at which they were sold. */
  isSold?: boolean
  /** The total that follows from the fields. */
  total: number
}

/** The fields for the amounts of an order besides its lines, and its total. */
export function AmountFields({ field, input, isNew = false, isSold = false, total }: AmountFieldsProps) {
  const currency = useConfig()?.currency ?? 'USD'
  return (
    <fieldset className="mt-4">
      <legend className="mb-2 font-semibold">{t('Amounts')}</legend>
      <div className="grid grid-cols-4 items-start gap-4 phone:grid-cols-2">
        {NAMES.filter((name) => !isNew || name !== 'kept_amount').map((name) => {
          const isFixed = isSold && name === 'discount_amount'
          const hint = isFixed ? t('Fixed, because pieces were shipped') : HINTS[name]
          return (
            <Field key={name} label={AMOUNT_LABELS[name]} hint={hint} {...field(name, hint)}>
              <Input
                {...input(name)}
                inputMode="decimal"
                autoComplete="off"
                unit={currency}
                readOnly={isFixed}
              />
            </Field>
          )
        })}
      </div>
      <p className="mt-3 flex justify-between font-semibold">
        {rich('Total {max}', {
          max: <span>{Number.isFinite(total) ? formatMoney(Math.max(0, total)) : '–'}</span>,
        })}
      </p>
    </fieldset>
  )
}
