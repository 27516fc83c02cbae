import type { CopiedTable } from '../copy-tables.ts'

const listOf = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))

/** The tables that an export contains. A new table must be added here or to `LEFT_OUT`. */
export const EXPORTED = listOf(`
  accounts alert_deliveries alert_preferences alerts api_keys audit_entries backup_runs
  backup_schedule buckets channel_attempts channel_deliveries channels cost_settings drafts
  extra_fields filaments identities items job_plates job_transitions kept_money kept_money_waiting
  key_calls locations maintenance_log maintenance_plans movements oauth_clients objects order_lines
  order_returns orders outbox_mails postage_entries print_jobs printer_slots printers product_models
  products profiles program_settings publications refused_orders replenishment_proposals
  replenishment_schedule saved_searches sent_stocks service_keys shipment_corrections shipment_lines
  shipments shop_comparisons shop_completions shop_syncs sign_in_rules site_checks skipped_orders
  sku_mapping_items sku_mappings sliced_files slicer_profiles slicing_runs spool_ledger spools
  sso_domains sso_providers stl_files stl_import_entries stl_imports stl_versions tags user_roles
  vendors
`)

/** The tables that an export leaves out: secrets, sessions and unfinished sign-ins, and the server's own working state. */
export const LEFT_OUT = listOf(`
  challenges factors flow_states idempotency_keys known_addresses mail_requests oauth_states
  one_time_tokens push_devices push_keys recovery_codes refresh_tokens resumable_chunks
  resumable_uploads saml_keys saml_states service_key_uses sessions sign_in_failures signing_keys
  used_sign_in_messages webauthn_credentials
  access_refusals alert_mail_turns failed_print_jobs failed_publications finished_print_jobs
  key_windows leases low_filaments low_stock_crossings order_news outbox_reads planned_prints
  plate_dispatches printer_connections printer_errors replenishment_nights search_words security_log
  security_log_queue sent_mails shipped_orders shop_first_comparisons shop_orders_to_read
  shop_readings short_filaments stl_words
`)

/** Matches columns with hashes or encrypted secrets, and with copies of other columns that only searches need. */
const LEFT_OUT_COLUMN = /(?:_hash|_sealed|^fingerprint|^search_text|^words|^title_words)$/

/** Returns the tables and columns of an export. */
export const exportedTables = (tables: readonly CopiedTable[]): CopiedTable[] =>
  tables
    .filter(({ name }) => EXPORTED.has(name))
    .map(({ name, columns }) => ({
      name,
      columns: columns.filter((column) => !LEFT_OUT_COLUMN.test(column)),
    }))
