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
] as const
export type AuditEntity = (typeof AUDIT_ENTITIES)[number]
