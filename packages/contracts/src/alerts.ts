import * as z from 'zod/mini'
import { pageQuery, timestamp } from './fields.ts'
import { declareEndpoints } from './endpoint.ts'
import { hasRole, isAdmin } from './roles.ts'

const { get, post, put } = declareEndpoints('alerts')

/** What people are told of without looking: one alert for each time that a threshold is crossed or a thing fails. */
export const ALERT_KINDS = ['low_stock', 'low_filament', 'job_failed', 'publication_failed'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** How the kinds are called where one chooses among them. */
export const ALERT_KIND_NAMES: Readonly<Record<AlertKind, string>> = {
  low_stock: 'Low stock',
  low_filament: 'Low filament',
  job_failed: 'Print job failed',
  publication_failed: 'Publication failed',
}

const shared = {
  id: z.uuid(),
  /** The name of the thing, as it was then. */
  title: z.string(),
  created_at: timestamp,
  /** When the caller read it; null for unread. */
  read_at: z.nullable(timestamp),
}

/** `entity_id` names the item, the print job or the product; figures are those of the moment. */
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
    /** A material and colour over all its spools has no id. */
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
    kind: z.literal('job_failed'),
    entity_id: z.uuid(),
    facts: z.object({ label_code: z.string(), quantity: z.number(), reason: z.nullable(z.string()) }),
  }),
  z.object({
    ...shared,
    kind: z.literal('publication_failed'),
    entity_id: z.uuid(),
    facts: z.object({ reason: z.nullable(z.string()) }),
  }),
])
export type Alert = z.output<typeof alert>

/** What an alert says of a thing, apart from who has read it. */
type AlertWords = Pick<Alert, 'title'> &
  { [Kind in AlertKind]: Pick<Extract<Alert, { kind: Kind }>, 'kind' | 'facts'> }[AlertKind]

const grams = (amount: number): string => `${amount.toLocaleString('en-US', { maximumFractionDigits: 1 })} g`
const count = (amount: number): string => amount.toLocaleString('en-US')

/** What happened, in one line: the same in the app and in mails. */
export function alertSentence(of: AlertWords): string {
  switch (of.kind) {
    case 'low_stock':
      return `${count(of.facts.quantity)} left, reorder at ${count(of.facts.reorder_point)} · ${of.facts.sku}`
    case 'low_filament':
      return `${grams(of.facts.remaining_grams)} left on all spools, low at ${grams(of.facts.low_stock_grams)}`
    case 'job_failed':
      return [`Print of ${count(of.facts.quantity)} failed`, of.facts.reason, of.facts.label_code]
        .filter((part) => part !== null)
        .join(' · ')
    case 'publication_failed':
      return `Not published${of.facts.reason ? `: ${of.facts.reason}` : ''}`
  }
}

/** Where the app shows what an alert is about, as a path with its query. */
export function alertAddress(of: Pick<Alert, 'entity_id'> & AlertWords): string {
  const id = of.entity_id ?? ''
  switch (of.kind) {
    case 'low_stock':
      return `/?${new URLSearchParams({ tab: 'inventory', item: id })}`
    case 'low_filament': {
      const { material, color } = of.facts
      return `/?${new URLSearchParams({ tab: 'filament', material, ...(color && { search: color }) })}`
    }
    case 'job_failed':
      return `/?${new URLSearchParams({ tab: 'print-queue', job: id })}`
    case 'publication_failed':
      return `/?${new URLSearchParams({ tab: 'products', product: id })}`
  }
}

const choice = z.object({
  /** Whether it comes to the inbox behind the bell. */
  in_app: z.boolean(),
  by_mail: z.boolean(),
})
export type AlertChoice = z.output<typeof choice>

/** For each kind. */
const choices = z.object({
  low_stock: choice,
  low_filament: choice,
  job_failed: choice,
  publication_failed: choice,
})
export type AlertChoices = z.output<typeof choices>

const TOLD_AND_MAILED: AlertChoice = { in_app: true, by_mail: true }
const TOLD: AlertChoice = { in_app: true, by_mail: false }
const NOTHING: AlertChoice = { in_app: false, by_mail: false }

/**
 * Until somebody chooses: those who work with the things are told in the app, those who order and publish also by mail
 * of what cannot wait until they look. A failed print concerns whoever stands at the printers. Viewers ask for nothing.
 */
export function defaultAlertChoices(role: string): AlertChoices {
  const usual = hasRole(role, 'employee') ? TOLD : NOTHING
  const urgent = isAdmin(role) ? TOLD_AND_MAILED : usual
  return { low_stock: urgent, low_filament: urgent, job_failed: usual, publication_failed: urgent }
}

export const alertPreferences = z.object({ choices, revision: z.number() })
export type AlertPreferences = z.output<typeof alertPreferences>

/** Alerts are kept for this long. */
export const ALERT_RETENTION_DAYS = 90
/** Between two mails of alerts to a person; what happens meanwhile is in the next one. */
export const ALERT_MAIL_MINUTES = 15

export const listAlerts = get('/api/alerts', 'signed-in', {
  summary: "The caller's alerts of the last 90 days, newest first",
  query: z.object({
    ...pageQuery,
    unread_only: z.optional(z.enum(['true', 'false'])),
  }),
  returns: z.array(alert),
})

export const countUnreadAlerts = get('/api/alerts/unread', 'signed-in', {
  summary: 'How many alerts the caller has not read, 1,000 at most',
  returns: z.object({ unread: z.number() }),
})

export const readAlert = post('/api/alerts/:id/read', 'signed-in', {
  summary: 'Mark an alert as read; twice is once',
  errors: ['ALERT_NOT_FOUND'],
})

export const readAllAlerts = post('/api/alerts/read', 'signed-in', {
  summary: 'Mark an alert and all before it as read: what came after the list was shown stays unread',
  body: z.object({ up_to: z.uuid('up_to is not an id') }),
  errors: ['ALERT_NOT_FOUND'],
})

export const getAlertPreferences = get('/api/alerts/preferences', 'signed-in', {
  summary: 'What the caller is told of, in the app and by mail',
  returns: alertPreferences,
})

const choiceChange = z.optional(
  z.object({
    in_app: z.optional(z.boolean('in_app must be true or false')),
    by_mail: z.optional(z.boolean('by_mail must be true or false')),
  }),
)

export const updateAlertPreferences = put('/api/alerts/preferences', 'signed-in', {
  summary: 'Choose what to be told of; what is absent stays. Needs If-Match',
  body: z.object({
    low_stock: choiceChange,
    low_filament: choiceChange,
    job_failed: choiceChange,
    publication_failed: choiceChange,
  }),
  returns: alertPreferences,
  errors: ['PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})
export type AlertPreferencesChange = z.output<typeof updateAlertPreferences.body>
