import type { Alert, AlertKind, OrderFacts } from './alerts.ts'

/** The name of each kind of alert, as people see it in the alert settings. */
export const ALERT_KIND_NAMES: Readonly<Record<AlertKind, string>> = {
  low_stock: 'Low stock',
  low_filament: 'Low filament',
  filament_short: 'Filament runs out',
  job_finished: 'Print job finished',
  job_failed: 'Print job failed',
  printer_error: 'Printer error',
  publication_failed: 'Publication failed',
  new_order: 'New order',
  order_overdue: 'Order overdue',
  order_shipped: 'Order shipped',
  order_cancelled: 'Order cancelled while printing',
  order_refused: 'Order not received',
  backup_failed: 'Backup failed or late',
}

/** The fields of an alert from which its text is written: kind, title and facts. They are the same for every reader. */
type AlertContent = Pick<Alert, 'title'> &
  { [Kind in AlertKind]: Pick<Extract<Alert, { kind: Kind }>, 'kind' | 'facts'> }[AlertKind]

const grams = (amount: number): string => `${amount.toLocaleString('en-US', { maximumFractionDigits: 1 })} g`
const dayOf = (moment: string | null): string => (moment ?? '').slice(0, 10)
const pieces = (amount: number): string => `${count(amount)} ${amount === 1 ? 'piece' : 'pieces'}`
const orderedBy = ({ pieces: amount, missing = 0, customer_name: name }: OrderFacts): string =>
  `${pieces(amount)} for ${name || 'a customer'}${missing > 0 ? ` · ${count(missing)} missing` : ''}`
const count = (amount: number): string => amount.toLocaleString('en-US')

/**
 * Returns whether the title of an alert is an English text of the server, which has to be translated. All other titles
 * are names or numbers, and are shown as they are. `kind` and `facts` are those of the alert.
 */
export const isTitleText = ({
  kind,
  facts,
}: {
  kind: string
  facts: Readonly<Record<string, unknown>>
}): boolean => kind === 'backup_failed' || (kind === 'order_refused' && Number(facts['orders']) > 1)

/** Returns the alert as one line of text, for the app and for emails. */
export function alertSentence(subject: AlertContent): string {
  switch (subject.kind) {
    case 'low_stock':
      return `${count(subject.facts.quantity)} left, reorder at ${count(subject.facts.reorder_point)} · ${subject.facts.sku}`
    case 'low_filament':
      return `${grams(subject.facts.remaining_grams)} left on all spools, low at ${grams(subject.facts.low_stock_grams)}`
    case 'filament_short':
      return `Print jobs need ${grams(subject.facts.needed_grams)}, and ${grams(subject.facts.remaining_grams)} are left on all spools`
    case 'job_finished':
      return `${count(subject.facts.good_quantity)} of ${count(subject.facts.quantity)} good · ${subject.facts.label_code}`
    case 'printer_error':
      return [subject.facts.reason ?? 'The printer reports an error', subject.facts.label_code].join(' · ')
    case 'job_failed':
      return [
        `Print of ${count(subject.facts.quantity)} failed`,
        subject.facts.reason,
        subject.facts.label_code,
      ]
        .filter((part) => part !== null)
        .join(' · ')
    case 'publication_failed':
      return `Not published${subject.facts.reason ? `: ${subject.facts.reason}` : ''}`
    case 'new_order':
      return orderedBy(subject.facts)
    case 'order_overdue':
      return `Was due ${dayOf(subject.facts.due_at)} · ${orderedBy(subject.facts)}`
    case 'order_shipped':
      return [
        `${pieces(subject.facts.pieces)} for ${subject.facts.customer_name || 'a customer'}`,
        [subject.facts.carrier, subject.facts.tracking_number].filter((part) => part !== null).join(' '),
      ]
        .filter(Boolean)
        .join(' · ')
    case 'order_cancelled':
      return `Pieces for this order are still being printed · ${subject.facts.customer_name || 'a customer'}`
    case 'order_refused':
      return subject.facts.orders > 1
        ? `${count(subject.facts.orders)} orders from the shop · the first: ${subject.facts.reason}`
        : subject.facts.reason
    case 'backup_failed':
      return subject.facts.reason
  }
}

/** Returns the page of the alert's subject in the app, as a path with its query. */
export function alertAddress(subject: Pick<Alert, 'entity_id'> & AlertContent): string {
  const id = subject.entity_id ?? ''
  switch (subject.kind) {
    case 'low_stock':
      return `/?${new URLSearchParams({ tab: 'inventory', item: id })}`
    case 'filament_short':
    case 'low_filament': {
      const { material, color } = subject.facts
      return `/?${new URLSearchParams({ tab: 'filament', material, ...(color && { search: color }) })}`
    }
    case 'job_finished':
    case 'job_failed':
      return `/?${new URLSearchParams({ tab: 'print-queue', job: id })}`
    case 'printer_error':
      return `/?${new URLSearchParams({ tab: 'print-queue', view: 'printers', printer: id })}`
    case 'publication_failed':
      return `/?${new URLSearchParams({ tab: 'products', product: id })}`
    case 'new_order':
    case 'order_overdue':
    case 'order_shipped':
    case 'order_cancelled':
      return `/?${new URLSearchParams({ tab: 'orders', order: id })}`
    case 'order_refused':
      return '/?tab=orders'
    case 'backup_failed':
      return '/?tab=system'
  }
}
