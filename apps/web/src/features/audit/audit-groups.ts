import { AUDIT_ACTIONS, type AuditAction } from '@pegasus/contracts/audit'

/**
 * Actions that people look for together. An action can be in two groups: a refused sign-in is a sign-in and a refusal.
 */
export interface ActionGroup {
  /** Value in the URL. */
  id: string
  label: string
  actions: readonly AuditAction[]
}

/** Returns the actions on these subjects. The subject is the start of the name: `item` in `item.created`. */
const actionsOn = (...subjects: string[]): readonly AuditAction[] =>
  AUDIT_ACTIONS.filter((action) => subjects.includes(action.slice(0, action.indexOf('.'))))

export const ACTION_GROUPS: readonly ActionGroup[] = [
  { id: 'sign-ins', label: 'Sign-ins', actions: [...actionsOn('session'), 'recovery_code.used'] },
  {
    id: 'refusals',
    label: 'Refusals',
    actions: AUDIT_ACTIONS.filter((action) => action.endsWith('.refused')),
  },
  { id: 'people', label: 'People and roles', actions: actionsOn('account') },
  {
    id: 'profiles',
    label: 'Profiles and passwords',
    actions: actionsOn('profile', 'email', 'phone', 'password', 'identity', 'push_device'),
  },
  {
    id: 'second-factor',
    label: 'Second factor',
    actions: actionsOn('factor', 'recovery_codes', 'recovery_code', 'passkey', 'sign_in_rules'),
  },
  {
    id: 'api-keys',
    label: 'API keys',
    actions: actionsOn('api_key', 'service_key', 'signing_key', 'sso_provider', 'oauth_client'),
  },
  { id: 'models', label: 'Models', actions: actionsOn('model', 'slice', 'slicer_profile') },
  { id: 'stock', label: 'Stock', actions: actionsOn('item', 'items', 'location', 'cost_settings') },
  { id: 'filament', label: 'Filament', actions: actionsOn('spool', 'vendor', 'filament', 'extra_field') },
  {
    id: 'work',
    label: 'Orders and print jobs',
    actions: actionsOn('order', 'sku', 'print_job', 'printer', 'replenishment', 'replenishment_schedule'),
  },
  { id: 'products', label: 'Products and media', actions: actionsOn('product', 'media', 'bucket') },
  {
    id: 'audit',
    label: 'Exports, outbox, backups and channels',
    actions: actionsOn('audit', 'outbox', 'backup', 'backup_schedule', 'channel', 'support_bundle'),
  },
]

export const findGroup = (id: string | null): ActionGroup | null =>
  ACTION_GROUPS.find((group) => group.id === id) ?? null
