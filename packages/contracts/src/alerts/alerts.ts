import * as z from 'zod/mini'
import { nullable, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { type Role, hasRole, isAdmin } from '../roles.ts'

const { get, list, post, put } = declareEndpoints('alerts', { notFound: 'ALERT_NOT_FOUND' })

/** Kinds of alerts. Each crossed threshold and each failure creates one alert. */
export const ALERT_KINDS = [
  'low_stock',
  'low_filament',
  'filament_short',
  'job_finished',
  'job_failed',
  'printer_error',
  'publication_failed',
  'new_order',
  'order_overdue',
  'order_shipped',
  'order_cancelled',
  'order_refused',
  'backup_failed',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** The lowest role that may see alerts of a kind. Everybody may see alerts of a kind that is not listed. */
const ALERT_ROLES: Partial<Readonly<Record<AlertKind, Role>>> = {
  order_refused: 'employee',
  backup_failed: 'admin',
}

/** Returns the kinds of alerts that an account with this role can receive. */
export const alertKindsOf = (role: string): readonly AlertKind[] =>
  ALERT_KINDS.filter((kind) => hasRole(role, ALERT_ROLES[kind] ?? 'viewer'))

const orderFacts = z.object({
  customer_name: z.string(),
  pieces: z.number(),
  /**
   * Number of pieces that were neither in stock nor in the print queue. Alerts that an older version created lack it.
   */
  missing: z.optional(z.number()),
  due_at: nullable.timestamp,
})
/** The figures of an order that its alerts contain: customer, pieces and due time. */
export type OrderFacts = z.output<typeof orderFacts>

const shared = {
  id: z.uuid(),
  /** Name of the subject when the alert was created. */
  title: z.string(),
  created_at: timestamp,
  /** The time when the caller read the alert. Null if it is unread. */
  read_at: nullable.timestamp,
}

/**
 * One alert. `entity_id` is the id of the item, print job, printer, product, order or backup. `facts` contains the
 * figures at the time when the alert was created.
 */
export const alert = z.discriminatedUnion('kind', [
  z.object({
    ...shared,
    kind: z.literal('low_stock'),
    entity_id: z.uuid(),
    facts: z.object({ sku: z.string(), quantity: z.number(), reorder_point: z.number() }),
  }),
  z.object({
    ...shared,
    kind: z.literal('low_filament'),
    /** Always null, because the alert is about all spools of a material and color, which have no common id. */
    entity_id: z.null(),
    facts: z.object({
      material: z.string(),
      color: z.string(),
      remaining_grams: z.number(),
      low_stock_grams: z.number(),
    }),
  }),
  z.object({
    ...shared,
    kind: z.literal('filament_short'),
    /** Always null, because the alert is about all spools of a material and color, which have no common id. */
    entity_id: z.null(),
    facts: z.object({
      material: z.string(),
      /** Empty if the jobs accept any color. */
      color: z.string(),
      remaining_grams: z.number(),
      /** Grams of filament that the unfinished print jobs need. */
      needed_grams: z.number(),
    }),
  }),
  z.object({
    ...shared,
    kind: z.literal('job_finished'),
    entity_id: z.uuid(),
    facts: z.object({ label_code: z.string(), quantity: z.number(), good_quantity: z.number() }),
  }),
  z.object({
    ...shared,
    kind: z.literal('printer_error'),
    entity_id: z.uuid(),
    facts: z.object({ label_code: z.string(), reason: nullable.text }),
  }),
  z.object({
    ...shared,
    kind: z.literal('job_failed'),
    entity_id: z.uuid(),
    facts: z.object({ label_code: z.string(), quantity: z.number(), reason: nullable.text }),
  }),
  z.object({
    ...shared,
    kind: z.literal('publication_failed'),
    entity_id: z.uuid(),
    facts: z.object({ reason: nullable.text }),
  }),
  z.object({ ...shared, kind: z.literal('new_order'), entity_id: z.uuid(), facts: orderFacts }),
  z.object({ ...shared, kind: z.literal('order_overdue'), entity_id: z.uuid(), facts: orderFacts }),
  z.object({
    ...shared,
    kind: z.literal('order_shipped'),
    entity_id: z.uuid(),
    facts: z.object({
      customer_name: z.string(),
      /** Number of pieces in this parcel. */
      pieces: z.number(),
      carrier: nullable.text,
      tracking_number: nullable.text,
    }),
  }),
  z.object({ ...shared, kind: z.literal('order_cancelled'), entity_id: z.uuid(), facts: orderFacts }),
  z.object({
    ...shared,
    kind: z.literal('order_refused'),
    /** Always null, because a refused order is not stored. */
    entity_id: z.null(),
    facts: z.object({
      /** Number of orders that were refused at the same time. */
      orders: z.number(),
      /** Why the order in the title was refused. */
      reason: z.string(),
    }),
  }),
  z.object({
    ...shared,
    kind: z.literal('backup_failed'),
    /** Null if the alert is about a late backup, which has no run. */
    entity_id: z.nullable(z.uuid()),
    facts: z.object({ reason: z.string() }),
  }),
])
export type Alert = z.output<typeof alert>

const choice = z.object({
  /** Whether such alerts appear under the bell in the app. */
  in_app: z.boolean(),
  by_mail: z.boolean(),
  /** Whether such alerts appear as notifications on the person's devices. */
  by_push: z.boolean(),
})
export type AlertChoice = z.output<typeof choice>

const choices = z.object({
  low_stock: choice,
  low_filament: choice,
  filament_short: choice,
  job_finished: choice,
  job_failed: choice,
  printer_error: choice,
  publication_failed: choice,
  new_order: choice,
  order_overdue: choice,
  order_shipped: choice,
  order_cancelled: choice,
  order_refused: choice,
  backup_failed: choice,
})
export type AlertChoices = z.output<typeof choices>

const IN_APP_AND_MAIL: AlertChoice = { in_app: true, by_mail: true, by_push: true }
const IN_APP: AlertChoice = { in_app: true, by_mail: false, by_push: true }
const OFF: AlertChoice = { in_app: false, by_mail: false, by_push: false }

/**
 * Returns the alert settings of a person with this role who has not changed them. Employees get alerts in the app.
 * Admins, who order supplies and publish products, also get most alerts as emails, but not those about prints and new
 * orders, which concern the people at the printers. Alerts about finished jobs, shipped orders and filament that runs
 * out are off, because they would be too frequent. Viewers get no alerts.
 */
export function defaultAlertChoices(role: string): AlertChoices {
  const usual = hasRole(role, 'employee') ? IN_APP : OFF
  const urgent = isAdmin(role) ? IN_APP_AND_MAIL : usual
  return {
    low_stock: urgent,
    low_filament: urgent,
    filament_short: OFF,
    job_finished: OFF,
    job_failed: usual,
    printer_error: usual,
    publication_failed: urgent,
    new_order: usual,
    order_overdue: urgent,
    order_shipped: OFF,
    order_cancelled: urgent,
    order_refused: urgent,
    backup_failed: isAdmin(role) ? IN_APP_AND_MAIL : OFF,
  }
}

const alertPreferences = z.object({ choices, revision: z.number() })
export type AlertPreferences = z.output<typeof alertPreferences>

/** Alerts are deleted after this many days. */
export const ALERT_RETENTION_DAYS = 90
/** Minimum time between two alert emails to one person. Alerts in between wait for the next email. */
export const ALERT_MAIL_MINUTES = 15

export const listAlerts = list('/api/alerts', 'signed-in', {
  summary: "The caller's alerts of the last 90 days, newest first",
  filter: {
    unread_only: z.optional(z.enum(['true', 'false'])),
  },
  of: alert,
})

export const countUnreadAlerts = get('/api/alerts/unread', 'signed-in', {
  summary: 'Number of alerts that the caller has not read, at most 1,000',
  returns: z.object({ unread: z.number() }),
})

export const readAlert = post('/api/alerts/:id/read', 'signed-in', {
  summary: 'Mark an alert as read; repeating it changes nothing',
})

export const readAllAlerts = post('/api/alerts/read', 'signed-in', {
  summary: 'Mark an alert and all older ones as read; newer ones stay unread',
  body: z.object({ up_to: z.uuid('up_to is not an id') }),
  errors: ['ALERT_NOT_FOUND'],
})

export const getAlertPreferences = get('/api/alerts/preferences', 'signed-in', {
  summary: "The caller's alert settings",
  returns: alertPreferences,
})

const choiceChange = z.optional(
  z.object({
    in_app: z.optional(z.boolean('in_app must be true or false')),
    by_mail: z.optional(z.boolean('by_mail must be true or false')),
    by_push: z.optional(z.boolean('by_push must be true or false')),
  }),
)

export const updateAlertPreferences = put('/api/alerts/preferences', 'signed-in', {
  summary: 'Change the alert settings; missing fields stay unchanged. Needs If-Match',
  body: z.object({
    low_stock: choiceChange,
    low_filament: choiceChange,
    filament_short: choiceChange,
    job_finished: choiceChange,
    job_failed: choiceChange,
    printer_error: choiceChange,
    publication_failed: choiceChange,
    new_order: choiceChange,
    order_overdue: choiceChange,
    order_shipped: choiceChange,
    order_cancelled: choiceChange,
    order_refused: choiceChange,
    backup_failed: choiceChange,
  }),
  returns: alertPreferences,
  errors: ['PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})
export type AlertPreferencesChange = z.output<typeof updateAlertPreferences.body>
