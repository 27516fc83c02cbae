import { AUDIT_ACTIONS, type AuditAction } from '@pegasus/contracts/audit'
import { t } from '@/lib/i18n/messages.ts'

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
  { id: 'sign-ins', label: t('Sign-ins'), actions: [...actionsOn('session'), 'recovery_code.used'] },
  {
    id: 'refusals',
    label: t('Refusals'),
    actions: AUDIT_ACTIONS.filter((action) => action.endsWith('.refused')),
  },
  { id: 'people', label: t('People and roles'), actions: actionsOn('account') },
  {
    id: 'profiles',
    label: t('Profiles and passwords'),
    actions: actionsOn('profile', 'email', 'phone', 'password', 'identity', 'push_device'),
  },
  {
    id: 'second-factor',
    label: t('Second factor'),
    actions: actionsOn('factor', 'recovery_codes', 'recovery_code', 'passkey', 'sign_in_rules'),
  },
  {
    id: 'api-keys',
    label: t('API keys'),
    actions: actionsOn('api_key', 'service_key', 'signing_key', 'sso_provider', 'oauth_client'),
  },
  { id: 'models', label: t('Models'), actions: actionsOn('model', 'slice', 'slicer_profile') },
  { id: 'stock', label: t('Stock'), actions: actionsOn('item', 'items', 'location', 'cost_settings') },
  { id: 'filament', label: t('Filament'), actions: actionsOn('spool', 'vendor', 'filament', 'extra_field') },
  {
    id: 'work',
    label: t('Orders and print jobs'),
    actions: actionsOn('order', 'sku', 'print_job', 'printer', 'replenishment', 'replenishment_schedule'),
  },
  { id: 'products', label: t('Products and media'), actions: actionsOn('product', 'media', 'bucket') },
  {
    id: 'audit',
    label: t('Exports, outbox, backups and channels'),
    actions: actionsOn(
      'malware',
      'audit',
      'outbox',
      'backup',
      'backup_schedule',
      'channel',
      'support_bundle',
      'demo',
      'task',
    ),
  },
]

export const findGroup = (id: string | null): ActionGroup | null =>
  ACTION_GROUPS.find((group) => group.id === id) ?? null
