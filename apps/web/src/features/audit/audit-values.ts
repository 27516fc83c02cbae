import type { AuditEntry } from '@pegasus/contracts/audit'
import { formatCount, formatDateTime } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

export interface ChangedField {
  /** Readable name of the field: `System access`. */
  label: string
  /** The value before the change; null if the field was not recorded there. */
  before: string | null
  after: string | null
}

const LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    aal: t('Assurance'),
    allowed_addresses: t('Works from'),
    entity_id: t('Id'),
    ip: t('Address'),
    is_active: t('Active'),
    scope: t('Scope'),
  }),
)

/** Returns the readable name of a field: `System access` for `system_access`. */
function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ')
  return LABELS.get(field) ?? words.charAt(0).toUpperCase() + words.slice(1)
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function valueOf(value: unknown): string {
  if (value === null || value === '') return t('none')
  if (value === true) return t('yes')
  if (value === false) return t('no')
  if (typeof value === 'number') return formatCount(value)
  if (typeof value === 'string') return MOMENT.test(value) ? formatDateTime(value) : value
  if (Array.isArray(value)) return value.length === 0 ? t('none') : value.map(valueOf).join(', ')
  return Object.entries(value as object)
    .map(([field, held]) => `${labelOf(field)}: ${valueOf(held)}`)
    .join(', ')
}

/** Returns the fields that either side contains, in the recorded order. */
export function changedFields({ before, after }: Pick<AuditEntry, 'before' | 'after'>): ChangedField[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const side = (values: AuditEntry['after'], field: string) =>
    values && Object.hasOwn(values, field) ? valueOf(values[field]) : null
  return [...fields].map((field) => ({
    label: labelOf(field),
    before: side(before, field),
    after: side(after, field),
  }))
}
