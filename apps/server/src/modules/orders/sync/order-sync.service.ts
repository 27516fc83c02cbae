import { type ReceiveOrderBody, receiveOrderBody } from '@pegasus/contracts/orders/order-body'
import type { OrderSync } from '@pegasus/contracts/orders/orders'
import type { AuditContext } from '../../../platform/actor.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { toAppError } from '../../../platform/errors/to-app-error.ts'
import type { MainSite } from '../../products/index.ts'
import type { OrderIntake } from '../intake/order-intake.service.ts'

const ORDERS_PATH = '/api/admin/orders'
/** More orders than a shop usually forgets to send. Older ones arrive by the shop's own calls. */
const MAX_ORDERS = 1000

/** Fetches orders from the main site. */
export interface OrderSyncing {
  /**
   * Adds the orders that the main site lists, each separately. A missing site, or a site without such a list, is an
   * outcome and no error. Throws MAIN_SITE_FAILED with the site's message.
   */
  fetch(by: AuditContext): Promise<OrderSync>
}

const NOTHING = { created: 0, updated: 0, unchanged: 0, failed: [] } satisfies Partial<OrderSync>

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The list itself, or the list inside a common wrapper object; null if there is none. */
function ordersIn(body: unknown): unknown[] | null {
  if (Array.isArray(body)) return body
  if (!isRecord(body)) return null
  const wrapped = [body['orders'], body['data'], body['items']].find(Array.isArray)
  return wrapped ?? null
}

const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)

/** An order with our field names, from several common names of a site. */
const inOurWords = (order: Record<string, unknown>): Record<string, unknown> => ({
  ...order,
  order_number: asText(order['order_number'] ?? order['number'] ?? order['id']),
  total_amount: order['total_amount'] ?? order['total'],
  external_id: asText(order['external_id'] ?? order['id']),
})

function readOrder(order: unknown): { body: ReceiveOrderBody } | { number: string | null; detail: string } {
  const told = isRecord(order) ? inOurWords(order) : {}
  const parsed = receiveOrderBody.safeParse(told)
  if (parsed.success) return { body: parsed.data }
  const number = told['order_number']
  const detail = parsed.error.issues[0]?.message ?? 'This is no order.'
  return { number: typeof number === 'string' ? number.slice(0, 64) : null, detail }
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

function sentence({ created, updated, unchanged, failed }: Omit<OrderSync, 'outcome' | 'detail'>): string {
  const all = created + updated + unchanged + failed.length
  if (all === 0) return 'The main site has no orders.'
  const refused = failed.length > 0 ? `, ${failed.length} could not be taken` : ''
  return `Looked at ${plural(all, 'order')}: ${created} new, ${updated} changed, ${unchanged} as before${refused}.`
}

export function createOrderSync(deps: {
  intake: Pick<OrderIntake, 'take'>
  site: Pick<MainSite, 'call'> | null
}): OrderSyncing {
  const { intake, site } = deps

  const takeAll = async (orders: readonly unknown[], by: AuditContext): Promise<OrderSync> => {
    const result: Omit<OrderSync, 'outcome' | 'detail'> = { ...NOTHING, failed: [] }
    for (const order of orders.slice(0, MAX_ORDERS)) {
      const read = readOrder(order)
      if ('body' in read)
        try {
          result[await intake.take(read.body, by)] += 1
        } catch (error) {
          const { code, say } = toAppError(error)
          // An error on our side concerns all orders.
          if (code === 'INTERNAL' || code === 'UNAVAILABLE') throw error
          result.failed.push({ order_number: read.body.order_number, detail: say })
        }
      else result.failed.push({ order_number: read.number, detail: read.detail })
    }
    return { outcome: 'synced', detail: sentence(result), ...result }
  }

  return {
    async fetch(by) {
      if (!site)
        return {
          outcome: 'not_configured',
          detail: 'No main site is configured, so there is nowhere to fetch orders from.',
          ...NOTHING,
        }
      const answer = await site.call({ method: 'GET', path: ORDERS_PATH })
      const orders = answer.ok ? ordersIn(answer.body) : null
      if (orders) return takeAll(orders, by)
      if (!answer.ok && answer.status !== 404 && answer.status !== 405)
        throw new AppError('MAIN_SITE_FAILED', { say: answer.message })
      return {
        outcome: 'not_offered',
        detail: 'The main site does not tell of its orders at /api/admin/orders; it can send them instead.',
        ...NOTHING,
      }
    },
  }
}
