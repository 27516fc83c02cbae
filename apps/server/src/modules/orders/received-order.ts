import type { ReceiveOrderBody } from '@pegasus/contracts/integration'
import { toMinor } from '@pegasus/contracts/money'
import { AppError } from '../../platform/errors/app-error.ts'
import type { KnownLine, KnownOrder, OrderChange } from './order-intake.queries.ts'

/** An order as a shop sent it, with amounts in minor units. Omitted fields are undefined. */
export interface ReceivedOrder {
  totalMinor: number
  lines: KnownLine[] | undefined
}

const refuse = (path: string, message: string): never => {
  throw new AppError('ORDER_INVALID', { say: message, errors: [{ path, message }] })
}

/** Throws ORDER_INVALID for another currency, and for an amount with too many decimals. */
export function readReceivedOrder(body: ReceiveOrderBody, currency: string): ReceivedOrder {
  const minor = (path: string, name: string, amount: number): number =>
    toMinor(amount, currency) ?? refuse(path, `${name} has more decimals than ${currency} has`)
  if (body.currency !== undefined && body.currency !== currency)
    refuse('currency', `Orders come in ${currency}`)
  return {
    totalMinor: minor('total_amount', 'total_amount', body.total_amount),
    lines: body.items?.map(({ sku, name, quantity, unit_price: price }, position) => ({
      position,
      sku,
      name,
      quantity,
      unit_price_minor: minor(`items.${position}.unit_price`, 'unit_price', price),
    })),
  }
}

/** Compares moments, because the same moment can be written in many ways. */
const inUtc = (moment: string): string => new Date(moment).toISOString()

/** The fields that the shop sent with other values than ours. */
export function findChanges(body: ReceiveOrderBody, totalMinor: number, known: KnownOrder): OrderChange {
  const said: OrderChange = {
    customer_name: body.customer_name,
    customer_email: body.customer_email,
    status: body.status,
    total_minor: totalMinor,
    placed_at: body.placed_at && inUtc(body.placed_at),
    due_at: body.due_at && inUtc(body.due_at),
    external_id: body.external_id,
    notes: body.notes,
  }
  const was: OrderChange = {
    ...known,
    placed_at: inUtc(known.placed_at),
    due_at: known.due_at && inUtc(known.due_at),
  }
  const names = Object.keys(said) as (keyof OrderChange)[]
  const differing = names.filter((name) => said[name] !== undefined && said[name] !== was[name])
  return Object.fromEntries(differing.map((name) => [name, said[name]]))
}

/** The lines that differ, by position. */
export const findOtherLines = (lines: readonly KnownLine[], known: readonly KnownLine[]): KnownLine[] =>
  lines.filter((line) => {
    const old = known[line.position]
    return (
      old?.sku !== line.sku ||
      old.name !== line.name ||
      old.quantity !== line.quantity ||
      old.unit_price_minor !== line.unit_price_minor
    )
  })
