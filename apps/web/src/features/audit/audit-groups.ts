import type { AuditAction } from '@pegasus/contracts/audit'

/** Actions that people look for together. One can be in two groups: a refused sign-in is a sign-in and a refusal. */
export interface ActionGroup {
  /** Value in the address. */
  id: string
  label: string
  actions: readonly AuditAction[]
}

export const ACTION_GROUPS: readonly ActionGroup[] = [
  {
    id: 'sign-ins',
    label: 'Sign-ins',
    actions: [
      'session.opened',
      'session.refused',
      'session.ended',
      'session.confirmed',
      'recovery_code.used',
    ],
  },
  {
    id: 'refusals',
    label: 'Refusals',
    actions: ['session.refused', 'factor.refused', 'access.refused'],
  },
  {
    id: 'people',
    label: 'People and roles',
    actions: [
      'account.created',
      'account.signed_up',
      'account.invited',
      'account.approved',
      'account.updated',
      'account.deactivated',
      'account.reactivated',
    ],
  },
  {
    id: 'profiles',
    label: 'Profiles and passwords',
    actions: ['profile.updated', 'email.changed', 'password.changed', 'password.reset'],
  },
  {
    id: 'second-factor',
    label: 'Second factor',
    actions: [
      'factor.enrolled',
      'factor.removed',
      'factor.refused',
      'recovery_codes.created',
      'recovery_code.used',
    ],
  },
  {
    id: 'api-keys',
    label: 'API keys',
    actions: ['api_key.created', 'api_key.rotated', 'api_key.enabled', 'api_key.disabled', 'api_key.deleted'],
  },
  {
    id: 'models',
    label: 'Models',
    actions: [
      'model.added',
      'model.updated',
      'model.deleted',
      'model.restored',
      'model.purged',
      'model.version_added',
      'model.version_chosen',
    ],
  },
  {
    id: 'stock',
    label: 'Stock',
    actions: [
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
    ],
  },
  {
    id: 'filament',
    label: 'Filament',
    actions: [
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
    ],
  },
  {
    id: 'work',
    label: 'Orders and print jobs',
    actions: [
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
    ],
  },
  {
    id: 'products',
    label: 'Products and media',
    actions: [
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
    ],
  },
  { id: 'audit', label: 'Exports and outbox', actions: ['audit.exported', 'outbox.read'] },
]

export const findGroup = (id: string | null): ActionGroup | null =>
  ACTION_GROUPS.find((group) => group.id === id) ?? null
