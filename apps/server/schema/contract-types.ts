/**
 * A TypeScript type that cannot be read from the database, for a jsonb column or a text with a closed set of values.
 */
export interface ContractType {
  type: string
  /** The module that exports the type; left out for a built-in type. */
  from?: string
}

const of = (type: string, from?: string): ContractType => ({ type, ...(from !== undefined && { from }) })
const FIELDS = of('Record<string, unknown>')
const PERMISSIONS = of('Record<string, boolean>')

/**
 * The types, by table and column. A jsonb column whose type is defined in a module is not listed, because the
 * platform imports no module. It is `unknown` in `rows.ts`; the module's own row type gives it that type.
 */
export const CONTRACT_TYPES: Readonly<Record<string, ContractType>> = {
  'accounts.app_metadata': FIELDS,
  'accounts.user_metadata': FIELDS,
  'audit_entries.after': FIELDS,
  'audit_entries.before': FIELDS,
  'filaments.extra': FIELDS,
  'identities.identity_data': FIELDS,
  'items.cost_snapshot': of('ItemCost', '@pegasus/contracts/inventory/costs'),
  'items.label_printed_facts': FIELDS,
  'items.status': of('ItemStatus', '@pegasus/contracts/statuses'),
  'job_transitions.from_status': of('PrintJobStatus', '@pegasus/contracts/statuses'),
  'job_transitions.to_status': of('PrintJobStatus', '@pegasus/contracts/statuses'),
  'labelled_things.facts': FIELDS,
  'labelled_things.kind': of('ScanKind', '@pegasus/contracts/labels/scan-codes'),
  'labelled_things.printed_facts': FIELDS,
  'library_versions.format': of('ModelFormat', '@pegasus/contracts/stl-library/models'),
  'locations.label_printed_facts': FIELDS,
  'objects.user_metadata': FIELDS,
  'oauth_clients.auth_method': of("'client_secret_basic' | 'client_secret_post' | 'none'"),
  'oauth_clients.client_type': of("'confidential' | 'public'"),
  'oauth_clients.grant_types': of("('authorization_code' | 'refresh_token')[]"),
  'orders.shipping_address': of('ShippingAddress', '@pegasus/contracts/orders/order-body'),
  'orders.source_told': FIELDS,
  'people.permissions': PERMISSIONS,
  'people.status': of('AccountStatus', '@pegasus/contracts/users/users'),
  'sessions.amr': of('{ method: string; timestamp: number; provider?: string }[]'),
  'spools.extra': FIELDS,
  'spools.label_printed_facts': FIELDS,
  'spools.status': of('SpoolStatus', '@pegasus/contracts/statuses'),
  'sso_providers.attribute_mapping': of('AttributeMapping', '@pegasus/contracts/auth/hosted-sso'),
  'sso_providers.last_test': of('SsoTest', '@pegasus/contracts/auth/sso-providers'),
  'stl_files.license_type': of('LicenseType', '@pegasus/contracts/stl-library/licenses'),
  'stl_import_entries.format': of('ModelFormat', '@pegasus/contracts/stl-library/models'),
  'stl_versions.encoding': of("'binary' | 'ascii'"),
  'stl_versions.format': of('ModelFormat', '@pegasus/contracts/stl-library/models'),
  'stl_versions.metadata': of('ModelMetadata', '@pegasus/contracts/stl-library/models'),
  'stl_versions.print_estimate': of('PrintEstimate', '@pegasus/contracts/stl-library/models'),
  'user_roles.permissions': PERMISSIONS,
  'vendors.extra': FIELDS,
}

/** Computed columns that are never null. PostgreSQL cannot tell that from the expression. */
export const NEVER_NULL: readonly string[] = [
  'items.label_code',
  'items.status',
  'labelled_things.code',
  'labelled_things.facts',
  'labelled_things.name',
  'locations.label_code',
  'order_jobs.order_id',
  'order_jobs.pieces',
  'people.email',
  'people.is_sso_managed',
  'people.status',
  'placed_spools.name',
  'print_demand.needed_grams',
  'print_jobs.label_code',
  'queue_demand.name',
  'queue_demand.needed_grams',
  'scannable_locations.items',
  'scannable_locations.spools',
  'scannable_spools.name',
  'scannable_spools.remaining_grams',
  'scannable_spools.weight_grams',
  'spools.label_code',
  'spools.status',
]

/** Columns that a trigger computes, so that an insert leaves them out. */
export const WRITTEN_BY_TRIGGERS: readonly string[] = [
  'movements.quantity_after',
  'movements.reserved_after',
  'spool_ledger.after_grams',
  'spool_ledger.before_grams',
]
