import { hostname } from 'node:os'
import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from '@pegasus/contracts/audit'

/** A security event as other systems receive it: an audit entry, or a note about lost events. */
export type SecurityEvent =
  | Omit<AuditEntry, 'actor_kind'>
  | { action: 'security_log.dropped'; at: string; dropped: number }

type Subject = AuditAction extends `${infer S}.${string}` ? S : never

/** For each kind of object in the audit, whether entries about it are security events. */
const SUBJECTS: Readonly<Record<Subject, boolean>> = {
  session: true,
  account: true,
  profile: true,
  email: true,
  phone: true,
  password: true,
  identity: true,
  passkey: true,
  factor: true,
  recovery_codes: true,
  recovery_code: true,
  sign_in_rules: true,
  api_key: true,
  service_key: true,
  signing_key: true,
  sso_provider: true,
  oauth_client: true,
  channel: true,
  push_device: true,
  access: true,
  malware: true,
  audit: true,
  outbox: true,
  backup: true,
  support_bundle: true,
  model: false,
  slice: false,
  slicer_profile: false,
  item: false,
  items: false,
  location: false,
  cost_settings: false,
  spool: false,
  vendor: false,
  filament: false,
  extra_field: false,
  order: false,
  sku: false,
  print_job: false,
  replenishment: false,
  replenishment_schedule: false,
  printer: false,
  product: false,
  media: false,
  bucket: false,
  backup_schedule: false,
  task: false,
  demo: false,
}

/** The audited actions that are security events. */
export const SECURITY_ACTIONS: readonly AuditAction[] = AUDIT_ACTIONS.filter(
  (action) => SUBJECTS[action.slice(0, action.indexOf('.')) as Subject],
)

/** The number of the syslog facility for messages about authorization. */
const FACILITY = 10
const [ERROR, WARNING, NOTICE] = [3, 4, 5]
/** Maximum size of a message. RFC 5424 requires only 480 bytes, but common receivers accept 8 KiB. */
const MAX_BYTES = 8192
const MAX_HOST_LENGTH = 255
const MAX_MESSAGE_ID_LENGTH = 32

function severityOf({ action }: SecurityEvent): number {
  if (action === 'security_log.dropped') return ERROR
  return action.endsWith('.refused') ? WARNING : NOTICE
}

/** Returns the event as one line of JSON. JSON escapes line breaks in texts, so no text can look like another line. */
export const jsonLine = (event: SecurityEvent): string => JSON.stringify(event)

/**
 * Returns the event as an RFC 5424 message that contains JSON. If the event is too long, leaves out its changed fields.
 */
export function syslogMessage(event: SecurityEvent): string {
  const host =
    hostname()
      .replace(/[^\x21-\x7e]/g, '-')
      .slice(0, MAX_HOST_LENGTH) || '-'
  const id = event.action.slice(0, MAX_MESSAGE_ID_LENGTH)
  const head = `<${FACILITY * 8 + severityOf(event)}>1 ${event.at} ${host} pegasus-ops ${process.pid} ${id} -`
  const message = `${head} ${jsonLine(event)}`
  if (Buffer.byteLength(message) <= MAX_BYTES || !('before' in event)) return message
  return `${head} ${jsonLine({ ...event, before: null, after: { left_out: 'the event is too long' } })}`
}
