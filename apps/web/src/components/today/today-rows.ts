import type { FilamentForecast } from '@pegasus/contracts/filament/stock'
import { forecastSentence } from '@pegasus/contracts/filament/stock'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { OrderedSku } from '@pegasus/contracts/orders/sku-mappings'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Product } from '@pegasus/contracts/products/products'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import type { User } from '@pegasus/contracts/users/users'
import { formatCount, formatDue } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

export type TodayKind = 'printer' | 'job' | 'order' | 'sku' | 'product' | 'stock' | 'filament' | 'account'

/** A row about something that needs a person's attention now. */
export interface TodayRow {
  id: string
  kind: TodayKind
  title: string
  detail: string
  /** Address of the page with the details. */
  to: string
  /** The next step; null for people who may not take it. */
  action: { label: string; to: string } | null
  isUrgent: boolean
}

/** The first page of a list, and the total number of entries. */
interface Found<Thing> {
  items: readonly Thing[]
  total: number
}

export interface TodayFindings {
  printers?: Found<Printer> | undefined
  jobs?: Found<PrintJob> | undefined
  orders?: Found<Order> | undefined
  skus?: Found<OrderedSku> | undefined
  products?: Found<Product> | undefined
  stock?: Found<InventoryItem> | undefined
  forecast?: readonly FilamentForecast[] | undefined
  accounts?: Found<User> | undefined
}

/** Number of entries of a kind that get a row each. The rest share one row. */
export const SHOWN = 2

const address = (tab: string, params: Readonly<Record<string, string>> = {}): string =>
  `/?${new URLSearchParams({ tab, ...params })}`

interface Kind<Thing> {
  kind: TodayKind
  found: Found<Thing> | undefined
  row: (thing: Thing) => Omit<TodayRow, 'kind'>
  /** The row for the remaining entries: a text with their number, and the address of their list. */
  more: { text: (count: number) => string; to: string }
}

function rowsOf<Thing>({ kind, found, row, more }: Kind<Thing>): TodayRow[] {
  if (!found) return []
  const rest = found.total - Math.min(SHOWN, found.items.length)
  const rows = found.items.slice(0, SHOWN).map((thing) => ({ kind, ...row(thing) }))
  return rest > 0 && rows.length > 0
    ? [
        ...rows,
        {
          id: `more-${kind}`,
          kind,
          title: more.text(rest),
          detail: '',
          to: more.to,
          action: null,
          isUrgent: false,
        },
      ]
    : rows
}

type PrinterRow = Pick<TodayRow, 'title' | 'detail'> & {
  /** The action on the printer's page, and the dialog that it opens; null if the page itself is the next step. */
  step: { label: string; do: string } | null
}

/** Returns what a printer waits for. */
function printerRow(printer: Printer): PrinterRow {
  const { name, needs_person: need, state_reason, current_job: job, spool_to_load: spool } = printer
  const reason = state_reason === null ? '' : serverText(state_reason)
  switch (need) {
    case 'error':
      return {
        title: t('{name} reports an error', { name }),
        detail: reason,
        step: job === null || job.plate_state === 'printed' ? null : { label: t('Failed'), do: 'fail' },
      }
    case 'needs_clearing':
      return {
        title: t('{name} needs clearing', { name }),
        detail: joinFacts([job?.name, reason]),
        step: { label: t('Done'), do: 'clear' },
      }
    case 'paused':
      return { title: t('{name} is paused', { name }), detail: reason, step: null }
    case 'spool':
      return {
        title: t('{name} needs another spool', { name }),
        detail: spool
          ? `${spool.filament_label} (${[spool.material, spool.color].filter(Boolean).join(' ')})`
          : '',
        step: { label: t('Load'), do: 'load' },
      }
    case 'maintenance':
    case null:
      return {
        title: t('{name} waits for maintenance', { name }),
        detail: printer.maintenance_due.join(', ') || reason,
        step: null,
      }
  }
}

/** Returns rows for everything that needs a person's attention now, the most urgent kind first. */
export function todayRows(found: TodayFindings, role: string, nowMs: number): TodayRow[] {
  const canChange = isEmployeeOrHigher(role)
  const allowed = (label: string, to: string) => (canChange ? { label, to } : null)
  const runningOut = found.forecast?.filter(({ runs_out_at: at }) => at !== null)
  return [
    ...rowsOf({
      kind: 'printer',
      found: found.printers,
      row: (printer) => {
        const { title, detail, step } = printerRow(printer)
        const page = { view: 'printers', printer: printer.id }
        return {
          id: printer.id,
          title,
          detail,
          to: address('print-queue', page),
          action: step
            ? allowed(step.label, address('print-queue', { ...page, do: step.do }))
            : { label: t('Open'), to: address('print-queue', page) },
          isUrgent: printer.needs_person === 'error',
        }
      },
      more: {
        text: (count) =>
          t('{count, plural, one {# more printer waits} other {# more printers wait}} for a person', {
            count,
          }),
        to: address('print-queue', { view: 'printers', state: 'needs_person' }),
      },
    }),
    ...rowsOf({
      kind: 'job',
      found: found.jobs,
      row: (job) => {
        const to = address('print-queue', { job: job.id })
        return {
          id: job.id,
          title: t('{inventory_item_name} failed', { inventory_item_name: job.inventory_item_name }),
          detail: job.failure_reason === null ? t('No reason given') : serverText(job.failure_reason),
          to,
          action: allowed(t('Requeue'), to),
          isUrgent: true,
        }
      },
      more: {
        text: (count) =>
          t('{count, plural, one {# more failed print} other {# more failed prints}}', { count }),
        to: address('print-queue', { status: 'failed' }),
      },
    }),
    ...rowsOf({
      kind: 'order',
      found: found.orders,
      row: (order) => ({
        id: order.id,
        title: `${order.order_number}, ${order.customer_name}`,
        detail: order.is_overdue
          ? t('Overdue')
          : order.due_at === null
            ? t('Due today')
            : t('Due {due_at}', { due_at: formatDue(order.due_at, nowMs) }),
        to: address('orders', { order: order.id }),
        action:
          order.ready_to_pack && order.items.length > 0
            ? allowed(t('Pick'), address('orders', { order: order.id, do: 'pick' }))
            : { label: t('Open'), to: address('orders', { order: order.id }) },
        isUrgent: order.is_overdue,
      }),
      more: {
        text: (count) => t('{count, plural, one {# more order} other {# more orders}} due', { count }),
        to: address('orders', { due: 'today' }),
      },
    }),
    ...rowsOf({
      kind: 'sku',
      found: found.skus,
      row: (sku) => ({
        id: sku.sku,
        title: t('Unknown SKU {sku}', { sku: sku.sku }),
        detail: t(
          '{quantity, plural, one {# piece} other {# pieces}} in {order_count, plural, one {# order} other {# orders}}',
          { quantity: sku.quantity, order_count: sku.order_count },
        ),
        to: address('orders', { skus: 'unknown' }),
        action: allowed(t('Match'), address('orders', { skus: 'unknown' })),
        isUrgent: true,
      }),
      more: {
        text: (count) =>
          t('{count, plural, one {# more unknown SKU} other {# more unknown SKUs}}', { count }),
        to: address('orders', { skus: 'unknown' }),
      },
    }),
    ...rowsOf({
      kind: 'product',
      found: found.products,
      row: (product) => ({
        id: product.id,
        title: t('{name} was not published', { name: product.name }),
        detail: t('The shop refused it'),
        to: address('products', { product: product.id }),
        action: allowed(t('Fix'), address('products', { product: product.id })),
        isUrgent: true,
      }),
      more: {
        text: (count) =>
          t('{count, plural, one {# more failed publication} other {# more failed publications}}', { count }),
        to: address('products', { status: 'failed' }),
      },
    }),
    ...rowsOf({
      kind: 'stock',
      found: found.stock,
      row: (item) => ({
        id: item.id,
        title:
          item.quantity === 0
            ? t('{name} is out of stock', { name: item.name })
            : t('{name} is low', { name: item.name }),
        detail: t('{quantity} left, reorder point {reorder_point}', {
          quantity: formatCount(item.quantity),
          reorder_point: formatCount(item.reorder_point),
        }),
        to: address('inventory', { item: item.id }),
        action: allowed(
          t('Print'),
          address('print-queue', {
            add: '1',
            item: item.id,
            quantity: String(Math.max(1, item.max_stock - item.quantity)),
          }),
        ),
        isUrgent: item.quantity === 0,
      }),
      more: {
        text: (count) => t('{count, plural, one {# more item} other {# more items}} low', { count }),
        to: address('inventory', { low_stock_only: 'true' }),
      },
    }),
    ...rowsOf({
      kind: 'filament',
      found: runningOut && { items: runningOut, total: runningOut.length },
      row: (forecast) => ({
        id: `${forecast.material} ${forecast.color}`,
        title: `${forecast.material} ${forecast.is_any_color ? '' : forecast.color}`.trim(),
        detail: serverText(forecastSentence(forecast) ?? ''),
        to: address('filament', { view: 'colors' }),
        action: { label: t('Show stock'), to: address('filament', { view: 'colors' }) },
        isUrgent: false,
      }),
      more: {
        text: (count) =>
          t('{count, plural, one {# more filament} other {# more filaments}} running out', { count }),
        to: address('filament', { view: 'colors' }),
      },
    }),
    ...rowsOf({
      kind: 'account',
      found: found.accounts,
      row: (account) => ({
        id: account.id,
        title: t('{full_name} waits for approval', {
          full_name: account.full_name || account.username || account.email,
        }),
        detail: account.email ?? '',
        to: address('people', { person: account.id }),
        action: { label: t('Review'), to: address('people', { person: account.id }) },
        isUrgent: false,
      }),
      more: {
        text: (count) =>
          t('{count, plural, one {# more account} other {# more accounts}} waiting', { count }),
        to: address('people', { status: 'waiting' }),
      },
    }),
  ]
}
