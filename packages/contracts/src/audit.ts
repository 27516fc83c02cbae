import * as z from 'zod/mini'
import { ACTOR_KINDS, actor, pageQuery, queryText, searchText, timestamp } from './fields.ts'
import { declareEndpoints } from './endpoint.ts'

const { get } = declareEndpoints('audit')

/** What is written down, in the words of the wire: the thing first, then what was done to it. */
export const AUDIT_ACTIONS = [
  'session.opened',
  'session.refused',
  'session.ended',
  'session.confirmed',
  'account.created',
  'account.signed_up',
  'account.invited',
  'account.approved',
  'account.updated',
  'account.deactivated',
  'account.reactivated',
  'profile.updated',
  'email.changed',
  'password.changed',
  'password.reset',
  'factor.enrolled',
  'factor.removed',
  'factor.refused',
  'recovery_codes.created',
  'recovery_code.used',
  'api_key.created',
  'api_key.rotated',
  'api_key.enabled',
  'api_key.disabled',
  'api_key.deleted',
  'access.refused',
  'model.added',
  'model.updated',
  'model.deleted',
  'model.restored',
  'model.purged',
  'model.version_added',
  'model.version_chosen',
  'item.created',
  'item.updated',
  'item.deleted',
  'item.restored',
  'items.imported',
  'location.created',
  'location.updated',
  'location.deleted',
  'location.restored',
  'cost_settings.updated',
  'spool.added',
  'spool.updated',
  'spool.deleted',
  'spool.restored',
  'spool.archived',
  'spool.unarchived',
  'vendor.added',
  'vendor.updated',
  'vendor.deleted',
  'filament.added',
  'filament.updated',
  'filament.deleted',
  'order.created',
  'order.updated',
  'print_job.created',
  'print_job.updated',
  'print_job.deleted',
  'print_job.restored',
  'print_job.started',
  'print_job.claimed',
  'print_job.completed',
  'print_job.failed',
  'print_job.cancelled',
  'print_job.held',
  'print_job.requeued',
  'print_job.returned',
  'product.added',
  'product.updated',
  'product.deleted',
  'product.restored',
  'product.published',
  'product.publication_failed',
  'product.license_overridden',
  'media.stored',
  'media.moved',
  'media.deleted',
  'audit.exported',
  'outbox.read',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AUDIT_ENTITIES = [
  'account',
  'session',
  'factor',
  'api_key',
  'endpoint',
  'audit',
  'outbox',
  'stl_file',
  'inventory_item',
  'inventory',
  'location',
  'cost_settings',
  'spool',
  'vendor',
  'filament',
  'order',
  'print_job',
  'product',
  'media',
] as const
export type AuditEntity = (typeof AUDIT_ENTITIES)[number]

/**
 * Who did what to what, when and from where. `entity_name` is what the thing was called then. `before` and `after`
 * hold the fields that changed and never a secret. Actions and entities are texts on the wire, since what was
 * written down stays readable when its word is no longer in the lists above.
 */
export const auditEntry = z.object({
  id: z.uuid(),
  at: timestamp,
  actor,
  actor_kind: z.enum(ACTOR_KINDS),
  action: z.string(),
  entity: z.string(),
  /** Null where nothing is named: a sign-in with a name that nobody has. */
  entity_id: z.nullable(z.string()),
  entity_name: z.nullable(z.string()),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  ip: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
})
export type AuditEntry = z.output<typeof auditEntry>

const isAction = (text: string): text is AuditAction => (AUDIT_ACTIONS as readonly string[]).includes(text)

/** One action, or several with commas between. */
const actions = z.pipe(
  z.optional(z.string().check(z.maxLength(2000, 'action is too long'))),
  z.transform((text, context): AuditAction[] | undefined => {
    if (text === undefined) return undefined
    const names = [...new Set(text.split(','))]
    if (names.every(isAction)) return names
    context.issues.push({ code: 'custom', message: 'action is not one that is written down', input: text })
    return z.NEVER
  }),
)

/** Years that a clock can show, and every zone: the database reads neither the year 0 nor an offset of 16 hours. */
const moment = (name: string) =>
  z.pipe(
    z.optional(
      z.iso.datetime({ offset: true, error: `${name} is not a moment such as 2026-11-21T08:30:00Z` }),
    ),
    z.transform((text, context) => {
      if (text === undefined) return undefined
      const year = new Date(text).getUTCFullYear()
      if (year >= 1 && year <= 9999) return new Date(text).toISOString()
      context.issues.push({
        code: 'custom',
        message: `${name} is in a year that no clock shows`,
        input: text,
      })
      return z.NEVER
    }),
  )

const auditFilter = {
  action: actions,
  entity: z.optional(z.enum(AUDIT_ENTITIES, 'entity is not one that is written down')),
  entity_id: queryText('entity_id', 200),
  /** The id of a person or of an API key. */
  actor: z.optional(z.uuid('actor is not an id')),
  actor_kind: z.optional(z.enum(ACTOR_KINDS, 'actor_kind must be user, api_key or system')),
  /** From this moment on. */
  from: moment('from'),
  /** Before this moment. */
  to: moment('to'),
  /**
   * Each word must occur in a name (of the actor or of what was changed; one or two letters: begin a word of it), be
   * an id, or begin the address.
   */
  search: searchText,
}

export const listAudit = get('/api/audit', 'admin', {
  summary: 'Who did what, when and from where, newest first',
  query: z.object({ ...pageQuery, ...auditFilter }),
  returns: z.array(auditEntry),
})

/**
 * The same entries as a table for spreadsheets: RFC 4180 in UTF-8 with a byte order mark. A cell that a spreadsheet
 * might take for a formula, and one that begins with an apostrophe, begins with an apostrophe more.
 */
export const exportAudit = get('/api/audit/export', 'admin', {
  summary: 'The audit as CSV, newest first; is itself written down',
  needsRecentSignIn: true,
  query: z.object(auditFilter),
  sends: 'text/csv; charset=utf-8',
  errors: ['UNAVAILABLE'],
})
