import * as z from 'zod/mini'
import { actor, ACTOR_KINDS, moment, nullable, queryText, searchText, timestamp } from './fields.ts'
import { declareEndpoints } from './endpoint.ts'

const { get, list } = declareEndpoints('audit')

/**
 * Audited actions by their names in the API. Each name consists of the subject and the event, joined by a
 * dot.
 */
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
  'account.deleted',
  'account.link_issued',
  'profile.updated',
  'email.changed',
  'phone.changed',
  'password.changed',
  'password.reset',
  'identity.linked',
  'identity.unlinked',
  'passkey.added',
  'passkey.removed',
  'factor.enrolled',
  'factor.removed',
  'factor.refused',
  'recovery_codes.created',
  'recovery_code.used',
  'sign_in_rules.updated',
  'api_key.created',
  'api_key.rotated',
  'api_key.enabled',
  'api_key.disabled',
  'api_key.deleted',
  'signing_key.rotated',
  'service_key.created',
  'service_key.rotated',
  'service_key.revoked',
  'service_key.used',
  'sso_provider.added',
  'sso_provider.updated',
  'sso_provider.removed',
  'oauth_client.registered',
  'oauth_client.updated',
  'oauth_client.secret_replaced',
  'oauth_client.removed',
  'access.refused',
  'malware.refused',
  'model.added',
  'model.updated',
  'model.deleted',
  'model.restored',
  'model.purged',
  'model.version_added',
  'model.version_chosen',
  'model.slicing_started',
  'model.slicing_cancelled',
  'slice.added',
  'slice.updated',
  'slice.deleted',
  'slice.restored',
  'slicer_profile.created',
  'slicer_profile.updated',
  'slicer_profile.deleted',
  'slicer_profile.restored',
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
  'extra_field.added',
  'extra_field.updated',
  'extra_field.removed',
  'order.created',
  'order.updated',
  'order.deleted',
  'order.restored',
  'order.reserved',
  'order.released',
  'order.prints_queued',
  'order.shipped',
  'order.shipment_undone',
  'order.tracking_changed',
  'order.postage_changed',
  'order.returned',
  'order.return_undone',
  'order.held',
  'order.resumed',
  'order.cancelled',
  'order.completed',
  'order.reopened',
  'order.sku_mapped',
  'order.sku_ignored',
  'order.sku_forgotten',
  'sku.mapped',
  'order.refusal_dismissed',
  'sku.ignored',
  'sku.forgotten',
  'print_job.created',
  'print_job.updated',
  'print_job.deleted',
  'print_job.restored',
  'print_job.started',
  'print_job.claimed',
  'print_job.completed',
  'print_job.completion_undone',
  'print_job.failed',
  'print_job.cancelled',
  'print_job.held',
  'print_job.paused',
  'print_job.resumed',
  'print_job.requeued',
  'print_job.split',
  'print_job.merged',
  'print_job.returned',
  'print_job.assigned',
  'print_job.assigned_anyway',
  'replenishment.proposed',
  'replenishment.dismissed',
  'replenishment.restored',
  'replenishment_schedule.updated',
  'printer.added',
  'printer.updated',
  'printer.deleted',
  'printer.restored',
  'printer.cleared',
  'printer.maintenance_started',
  'printer.resumed',
  'printer.loaded',
  'printer.photo_added',
  'printer.photo_removed',
  'printer.maintenance_planned',
  'printer.maintenance_changed',
  'printer.maintenance_unplanned',
  'printer.serviced',
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
  'bucket.created',
  'bucket.updated',
  'bucket.emptied',
  'bucket.deleted',
  'backup.started',
  'backup_schedule.updated',
  'channel.created',
  'channel.updated',
  'channel.key_rotated',
  'channel.tested',
  'channel.replayed',
  'channel.deleted',
  'push_device.added',
  'push_device.removed',
  'support_bundle.made',
  'demo.made',
  'demo.removed',
  'task.retried',
  'task.dismissed',
  'audit.exported',
  'outbox.read',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

const AUDIT_ENTITIES = [
  'account',
  'session',
  'passkey',
  'factor',
  'api_key',
  'service_key',
  'sso_provider',
  'oauth_client',
  'signing_key',
  'endpoint',
  'audit',
  'outbox',
  'stl_file',
  'slice',
  'slicer_profile',
  'inventory_item',
  'inventory',
  'location',
  'cost_settings',
  'spool',
  'vendor',
  'filament',
  'extra_field',
  'order',
  'sku',
  'print_job',
  'printer',
  'product',
  'media',
  'bucket',
  'backup',
  'channel',
  'push_device',
  'system',
  'demo',
] as const
export type AuditEntity = (typeof AUDIT_ENTITIES)[number]

/**
 * One audited action: who did it, what was done, when, and from which IP address. `entity_name` is the name
 * at that time. `before` and `after` contain the changed fields, but never a secret. Actions and entities are
 * plain strings, so that old entries stay readable after a name is removed from the lists above.
 */
const auditEntry = z.object({
  id: z.uuid(),
  at: timestamp,
  actor,
  actor_kind: z.enum(ACTOR_KINDS),
  action: z.string(),
  entity: z.string(),
  /** Null if there is no entity, for example for a sign-in with an unknown name. */
  entity_id: nullable.text,
  entity_name: nullable.text,
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  ip: nullable.text,
  request_id: nullable.text,
})
export type AuditEntry = z.output<typeof auditEntry>

const isAction = (text: string): text is AuditAction => (AUDIT_ACTIONS as readonly string[]).includes(text)

/** One action, or several actions separated by commas. */
const actions = z.pipe(
  z.optional(z.string().check(z.maxLength(2000, 'action is too long'))),
  z.transform((text, context): AuditAction[] | undefined => {
    if (text === undefined) return undefined
    const names = [...new Set(text.split(','))]
    if (names.every(isAction)) return names
    context.issues.push({ code: 'custom', message: 'action is not an audited action', input: text })
    return z.NEVER
  }),
)

/** A date and time within the years that the database supports, converted to UTC. */
const utcMoment = (name: string) =>
  z.pipe(
    z.optional(moment(name)),
    z.transform((text) => text && new Date(text).toISOString()),
  )

const auditFilter = {
  action: actions,
  entity: z.optional(z.enum(AUDIT_ENTITIES, 'entity is not an audited entity')),
  entity_id: queryText('entity_id', 200),
  /** The id of a person or of an API key. */
  actor: z.optional(z.uuid('actor is not an id')),
  actor_kind: z.optional(z.enum(ACTOR_KINDS, 'actor_kind must be user, api_key or system')),
  /** Entries from this time on. */
  from: utcMoment('from'),
  /** Entries before this time. */
  to: utcMoment('to'),
  /**
   * Each word must occur in the name of the actor or entity, be an id, or be the beginning of the IP address.
   * A search with one or two letters matches only the beginning of a word in the name.
   */
  search: searchText,
}

export const listAudit = list('/api/audit', 'admin', {
  summary: 'Audited actions, newest first',
  filter: auditFilter,
  of: auditEntry,
})

/**
 * Returns the entries that match the filters as CSV for spreadsheets (RFC 4180, UTF-8 with a byte order mark). A cell
 * that looks like a formula or begins with an apostrophe gets an apostrophe in front.
 */
export const exportAudit = get('/api/audit/export', 'admin', {
  summary: 'The audit as CSV, newest first; the export is audited too',
  needsRecentSignIn: true,
  query: z.object(auditFilter),
  sends: 'text/csv; charset=utf-8',
  errors: ['UNAVAILABLE'],
})
