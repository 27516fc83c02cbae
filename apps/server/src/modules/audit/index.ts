export { type AuditEvent, writeAudit } from './audit.queries.ts'
