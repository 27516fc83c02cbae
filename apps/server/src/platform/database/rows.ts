// Generated from the migrated database by `npm run generate:rows`: x.

import type { ItemCost } from '@pegasus/contracts/costs'
import type { ItemStatus, PrintJobStatus, SpoolStatus } from '@pegasus/contracts/statuses'
import type { LicenseType } from '@pegasus/contracts/licenses'
import type { ModelFormat, ModelMetadata, PrintEstimate } from '@pegasus/contracts/stl-files'
import type { PersonStatus } from '@pegasus/contracts/users'
import type { ScanKind } from '@pegasus/contracts/scan-codes'
import type { Default, Generated, Json, List, Moment, Numeric } from './column-types.ts'

/** The columns of the tables: what is read of them, and what an insert needs. */
export interface Tables {
  access_refusals: {
    account_id: string
    endpoint: string
    at: Moment
  }
  accounts: {
    id: string
    email: string
    username: string
    password_hash: string | null
    email_confirmed_at: Moment | null
    approved_at: Moment | null
    is_active: Default<boolean>
    must_change_password: Default<boolean>
    generated_password_shown_at: Moment | null
    user_metadata: Default<Json<Record<string, unknown>>>
    app_metadata: Default<Json<Record<string, unknown>>>
    last_sign_in_at: Moment | null
    created_at: Default<Moment>
    updated_at: Default<Moment>
    revision: Default<number>
    new_email: string | null
    confirmation_sent_at: Moment | null
    recovery_sent_at: Moment | null
    invited_at: Moment | null
    email_change_sent_at: Moment | null
  }
  alert_deliveries: {
    alert_id: string
    account_id: string
    created_at: Moment
    in_app: boolean
    read_at: Moment | null
    is_mail_due: boolean
  }
  alert_mail_turns: {
    account_id: string
    sent_at: Moment
  }
  alert_preferences: {
    account_id: string
    choices: Json<unknown>
    revision: Default<number>
    updated_at: Moment
  }
  alerts: {
    id: string
    kind: 'low_stock' | 'low_filament' | 'job_failed' | 'publication_failed'
    entity_id: string | null
    title: string
    facts: Json<unknown>
    created_at: Moment
  }
  api_keys: {
    id: string
    account_id: string
    label: string
    scopes: List<string>
    key_prefix: string
    key_hash: Uint8Array
    is_active: Default<boolean>
    expires_at: Moment | null
    allowed_addresses: List<string> | null
    usage_count: Default<number>
    last_used: Moment | null
    last_used_ip: string | null
    created_at: Moment
    updated_at: Moment
  }
  audit_entries: {
    id: string
    at: Moment
    actor_kind: 'user' | 'api_key' | 'system'
    actor_id: string | null
    actor_name: string
    action: string
    entity: string
    entity_id: string | null
    before: Json<Record<string, unknown>> | null
    after: Json<Record<string, unknown>> | null
    ip: string | null
    request_id: string | null
    entity_name: string | null
    search_text: Generated<string>
  }
  buckets: {
    id: string
    name: string
    is_public: Default<boolean>
    file_size_limit: number | null
    allowed_mime_types: List<string> | null
    created_at: Default<Moment>
    updated_at: Default<Moment>
  }
  challenges: {
    id: string
    factor_id: string
    session_id: string
    address: string
    created_at: Moment
    expires_at: Moment
    used_at: Moment | null
  }
  cost_settings: {
    id: string
    material_minor_per_kg: number
    waste_percent: Numeric
    printer_watts: number
    electricity_minor_per_mwh: number
    machine_minor_per_hour: number
    labor_minor_per_hour: number
    prepare_minutes_per_print: Numeric
    finish_minutes_per_piece: Numeric
    extras_minor_per_piece: number
    failure_percent: Numeric
    overhead_percent: Numeric
    margin_percent: Numeric
    actor_kind: 'user' | 'api_key' | 'system'
    actor_id: string | null
    actor_name: string
    created_at: Moment
  }
  drafts: {
    id: string
    account_id: string
    product_id: string | null
    title: Default<string>
    content: Json<unknown>
    step: Default<number>
    is_shared: Default<boolean>
    revision: Default<number>
    created_at: Moment
    updated_at: Moment
    deleted_at: Moment | null
  }
  factors: {
    id: string
    account_id: string
    factor_type: 'totp' | 'recovery_code'
    status: 'unverified' | 'verified'
    friendly_name: string
    secret_sealed: string | null
    last_step: number | null
    last_challenged_at: Moment | null
    created_at: Moment
    updated_at: Moment
  }
  failed_print_jobs: {
    id: Generated<number>
    print_job_id: string
    reason: string | null
    failed_at: Moment
  }
  failed_publications: {
    product_id: string
    reason: string | null
    failed_at: Moment
    is_taken: Default<boolean>
  }
  filaments: {
    id: string
    number: Generated<number>
    vendor_id: string | null
    name: string
    material: string
    color: Default<string>
    color_hex: string | null
    multi_color_hexes: List<string> | null
    multi_color_direction: 'coaxial' | 'longitudinal' | null
    diameter_mm: Default<Numeric>
    density_g_cm3: Numeric
    weight_grams: Numeric
    spool_weight_grams: Numeric | null
    price_minor: number | null
    nozzle_temp_c: number | null
    bed_temp_c: number | null
    low_stock_grams: Numeric | null
    drying_interval_days: number | null
    article_number: string | null
    external_id: string | null
    comment: string | null
    extra: Default<Json<Record<string, unknown>>>
    revision: Default<number>
    created_at: Moment
    updated_at: Moment
    deleted_at: Moment | null
  }
  flow_states: {
    id: string
    account_id: string
    code_challenge: string
    code_challenge_method: 's256' | 'plain'
    method: string
    auth_code_hash: string | null
    code_issued_at: Moment | null
    created_at: Moment
  }
  idempotency_keys: {
    account_id: string
    key: string
    fingerprint: string
    response_status: number
    response_body: Json<unknown>
    created_at: Moment
  }
  identities: {
    id: string
    account_id: string
    provider: string
    provider_subject: string
    identity_data: Default<Json<Record<string, unknown>>>
    last_sign_in_at: Moment | null
    created_at: Default<Moment>
    updated_at: Default<Moment>
  }
  items: {
    id: string
    number: Generated<number>
    label_code: Generated<string>
    name: string
    sku: string
    stl_file_id: string | null
    quantity: Default<number>
    reserved_quantity: Default<number>
    reorder_point: number
    max_stock: number
    held_status: 'On Hold' | 'Reserved' | null
    status: Generated<ItemStatus>
    location_id: string | null
    material_used: string | null
    color: string | null
    color_hex: string | null
    print_settings: string | null
    print_time_minutes: number | null
    weight_grams: Numeric | null
    pieces_per_print: Default<number>
    material_cost_minor: number | null
    labor_cost_minor: number | null
    selling_price_minor: number | null
    cost_snapshot: Json<ItemCost> | null
    notes: string | null
    label_printed_at: Moment | null
    search_text: Generated<string | null>
    revision: Default<number>
    created_at: Moment
    updated_at: Moment
    deleted_at: Moment | null
    label_printed_facts: Json<Record<string, unknown>> | null
  }
  job_transitions: {
    id: string
    print_job_id: string
    from_status: PrintJobStatus | null
    to_status: PrintJobStatus
    reason: string | null
    good_quantity: number | null
    rejected_quantity: number | null
    actor_kind: 'user' | 'api_key' | 'system'
    actor_id: string | null
    actor_name: string
    created_at: Moment
  }
  key_calls: {
    id: string
    key_id: string
    at: Moment
    method: string
    path: string
    status: number
    ip: string | null
    request_id: string
  }
  key_windows: {
    key_id: string
    started_at: Moment
    calls: number
  }
  known_addresses: {
    account_id: string
    address: string
    at: Moment
  }
  leases: {
    print_job_id: string
    id: string
    agent: string
    api_key_id: string | null
    claimed_at: Moment
    renewed_at: Moment
    expires_at: Moment
  }
  locations: {
    id: string
    number: Generated<number>
    label_code: Generated<string>
    parent_id: string | null
    kind: 'place' | 'bin'
    name: string
    path: string
    notes: string | null
    label_printed_at: Moment | null
    revision: Default<number>
    created_at: Moment
    updated_at: Moment
    deleted_at: Moment | null
    label_printed_facts: Json<Record<string, unknown>> | null
  }
  low_filaments: {
    material: string
    color: string
    crossed_at: Moment
  }
  low_stock_crossings: {
    id: Generated<number>
    item_id: string
    quantity: number
    reorder_point: number
    crossed_at: Moment
  }
  mail_requests: {
    address_key: string
    kind: string
    at: Moment
  }
  movements: {
    id: string
    item_id: string
    kind:
      | 'receive'
      | 'produce'
      | 'ship'
      | 'return'
      | 'move'
      | 'count'
      | 'adjust'
      | 'scrap'
      | 'reserve'
      | 'release'
    delta: number
    reserved_delta: Default<number>
    quantity_after: Generated<number>
    reserved_after: Generated<number>
    from_location_id: string | null
    to_location_id: string | null
    reason: string | null
    order_id: string | null
    print_job_id: string | null
    undoes_id: string | null
    actor_kind: 'user' | 'api_key' | 'system'
    actor_id: string | null
    actor_name: string
    created_at: Moment
  }
  objects: {
    id: string
    bucket_id: string
    name: string
    storage_key: string
    sha256: string
    size_bytes: number
    content_type: string
    cache_control: string
    width_px: number | null
    height_px: number | null
    user_metadata: Json<Record<string, unknown>> | null
    version: string
    owner_id: string | null
    created_at: Moment
    updated_at: Moment
  }
  one_time_tokens: {
    id: string
    account_id: string
    type: 'signup' | 'invite' | 'recovery' | 'email_change' | 'magiclink' | 'reauthentication'
    token_hash: string
    code_hash: string
    wrong_codes: Default<number>
    email: string
    password_hash: string | null
    flow_state_id: string | null
    created_at: Moment
    expires_at: Moment
  }
  order_lines: {
    id: string
    order_id: string
    position: number
    external_line_id: string | null
    sku: Default<string>
    name: Default<string>
    quantity: number
    unit_price_minor: number
    item_id: string | null
    ignored_at: Moment | null
    unit_cost_minor: number | null
  }
  orders: {
    id: string
    order_number: string
    customer_name: Default<string>
    customer_email: string | null
    status: 'pending' | 'in_progress' | 'completed' | 'cancelled'
    total_minor: number
    currency: string
    placed_at: Moment
    due_at: Moment | null
    source: string
    external_id: string | null
    notes: string | null
    received: Json<unknown> | null
    search_text: Generated<string | null>
    revision: Default<number>
    created_at: Moment
    updated_at: Moment
    deleted_at: Moment | null
  }
  outbox_mails: {
    id: string
    account_id: string | null
    recipient: string
    subject: string
    body_sealed: string
    created_at: Moment
    failed_at: Moment | null
    failure: string | null
  }
  outbox_reads: {
    mail_id: string
    reader_id: string
    at: Moment
  }
  print_jobs: {
    id: string
    number: Generated<number>
    label_code: Generated<string>
    item_id: string | null
    stl_file_id: string | null
    stl_version_id: string | null
    quantity: number
    good_quantity: Default<number>
    rejected_quantity: Default<number>
    status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'failed' | 'on_hold'
    priority: number
    position: Default<number>
    material: string | null
    color: string | null
    spool_id: string | null
    printer_id: string | null
    agent: string | null
    attempt: Default<number>
    previous_job_id: string | null
    failure_reason: string | null
    hold_reason: string | null
    progress: Default<Numeric>
    estimated_grams: Numeric | null
    estimated_minutes: number | null
    used_grams: Numeric | null
    print_minutes: number | null
    order_id: string | null
    order_line_id: string | null
    due_at: Moment | null
    started_at: Moment | null
    finished_at: Moment | null
    notes: string | null
    cost_snapshot: Json<unknown> | null
    external_id: string | null
    revision: Default<number>
    created_at: Moment
    updated_at: Moment
    deleted_at: Moment | null
  }
  printers: {
    id: string
    number: Generated<number>
    name: string
    model: string | null
    state: Default<'available' | 'needs_clearing' | 'maintenance' | 'offline'>
    state_reason: string | null
    state_until: Moment | null
    bed_mm: Json<unknown> | null
    nozzle_mm: Numeric | null
    materials: Default<List<string>>
    location_id: string | null
    average_watts: number | null
    machine_minor_per_hour: number | null
    external_id: string | null
    notes: string | null
    revision: Default<number>
    created_at: Moment
    updated_at: Moment
    deleted_at: Moment | null
  }
  product_models: {
    product_id: string
    stl_file_id: string
    position: number
  }
  products: {
    id: string
    name: string
    slug: string
    category: 'miniatures' | 'terrain' | 'accessories' | 'tools' | 'other'
    price_minor: number
    stock: number
    description: string
    tags: Default<List<string>>
    images: Default<List<string>>
    videos: Default<List<string>>
    poster_url: string | null
    bulk_tiers: Json<unknown> | null
    license: 'cc0' | 'cc-by' | 'cc-by-sa' | 'cc-by-nc' | 'custom' | null
    designer: string | null
    designer_url: string | null
    item_id: string | null
    status: Default<'not_published' | 'publishing' | 'published' | 'failed'>
    failure_reason: string | null
    site_product_id: string | null
    site_url: string | null
    published_at: Moment | null
    published_revision: number | null
    license_override: Json<unknown> | null
    search_text: Generated<string | null>
    revision: Default<number>
    created_at: Moment
    updated_at: Moment
    deleted_at: Moment | null
    making_id: string | null
  }
  profiles: {
    account_id: string
    full_name: Default<string>
    system_access: Default<boolean>
    created_at: Default<Moment>
    updated_at: Default<Moment>
  }
  publications: {
    id: string
    product_id: string
    number: number
    idempotency_key: string
    target: string
    payload: Json<unknown>
    status: 'pending' | 'sending' | 'published' | 'failed'
    tries: Default<number>
    http_status: number | null
    response_text: string | null
    actor_kind: 'user' | 'api_key' | 'system'
    actor_id: string | null
    actor_name: string
    created_at: Moment
    sent_at: Moment | null
    finished_at: Moment | null
    revision: Default<number>
    queued_at: Moment
    may_have_arrived: Default<boolean>
    is_mended: Default<boolean>
  }
  recovery_codes: {
    factor_id: string
    code_hash: string
    used_at: Moment | null
  }
  refresh_tokens: {
    session_id: string
    counter: number
    issued_at: Moment
    replaced_at: Moment | null
  }
  saved_searches: {
    id: string
    account_id: string
    name: string
    query: string
    created_at: Moment
  }
  schema_migrations: {
    name: string
    sha256: string
    applied_at: Default<Moment>
  }
  sent_mails: {
    id: string
    sent_at: Moment
  }
  sessions: {
    id: string
    account_id: string
    aal: Default<string>
    amr: Json<{ method: string; timestamp: number }[]>
    user_agent: string | null
    ip: string | null
    created_at: Moment
    refreshed_at: Moment
    refresh_counter: Default<number>
    ends_at: Moment | null
    authenticated_at: Moment
    last_used_at: Moment | null
    last_used_ip: string | null
    factor_id: string | null
    raised_from_counter: Default<number>
  }
  sign_in_failures: {
    id: string
    account_key: string
    address: string
    at: Moment
    pending_until: Moment | null
    account_id: string | null
  }
  signing_keys: {
    kid: string
    algorithm: string
    public_jwk: Json<unknown>
    private_jwk_sealed: string
    created_at: Default<Moment>
    retired_at: Moment | null
  }
  site_checks: {
    product_id: string
    target: string
    outcome: Default<'same' | 'differs' | 'missing' | 'unknown'>
    known_at: Moment | null
    problem: string | null
    checked_at: Moment
    differences: Default<Json<unknown>>
    accepted: Default<Json<unknown>>
    told: Default<Json<unknown>>
  }
  spool_ledger: {
    id: string
    spool_id: string
    kind: 'open' | 'use' | 'weigh' | 'correct' | 'waste'
    delta_grams: Numeric
    before_grams: Generated<Numeric>
    after_grams: Generated<Numeric>
    reported_grams: Numeric | null
    length_mm: Numeric | null
    gross_grams: Numeric | null
    reason: string | null
    print_job_id: string | null
    external_id: string | null
    undoes_id: string | null
    actor_kind: 'user' | 'api_key' | 'system'
    actor_id: string | null
    actor_name: string
    created_at: Moment
    last_at: Moment | null
  }
  spools: {
    id: string
    number: Generated<number>
    label_code: Generated<string>
    filament_id: string
    weight_grams: Numeric
    spool_weight_grams: Numeric | null
    remaining_grams: Default<Numeric>
    price_minor: number | null
    location_id: string | null
    lot_number: string | null
    tag_uid: string | null
    opened_at: Moment | null
    last_used_at: Moment | null
    dried_at: Moment | null
    archived_at: Moment | null
    notes: string | null
    extra: Default<Json<Record<string, unknown>>>
    label_printed_at: Moment | null
    revision: Default<number>
    created_at: Moment
    updated_at: Moment
    deleted_at: Moment | null
    status: Generated<SpoolStatus>
    label_printed_facts: Json<Record<string, unknown>> | null
  }
  stl_files: {
    id: string
    title: string
    description: string | null
    tags: Default<List<string>>
    license_type: LicenseType
    attribution_url: string | null
    print_material: string | null
    print_notes: string | null
    source_url: string | null
    sale_allowed: boolean | null
    is_product: Default<boolean>
    duplicate_of: string | null
    suggested_fields: Default<List<string>>
    current_version_id: string
    revision: Default<number>
    created_at: Moment
    updated_at: Moment
    deleted_at: Moment | null
    sale_note: string | null
    fetched_at: Moment | null
    deleted_by: string | null
    fields_to_suggest: Default<List<string>>
    file_name: Default<string>
    file_size: Default<number>
    format: Default<string>
    is_watertight: boolean | null
    uploaded_by: string | null
    bed_short_mm: number | null
    bed_long_mm: number | null
    height_mm: number | null
    search_text: Generated<string>
    words: Generated<string>
    title_words: Generated<string>
  }
  stl_import_entries: {
    import_id: string
    index: number
    name: string
    size: number
    format: ModelFormat | null
    status: Default<'offered' | 'skipped' | 'waiting' | 'done' | 'failed'>
    stl_file_id: string | null
    error: string | null
    sha256: string | null
  }
  stl_imports: {
    id: string
    account_id: string
    source: 'url' | 'archive'
    status: 'fetching' | 'choosing' | 'importing' | 'done' | 'failed' | 'cancelled'
    url: string | null
    file_name: string | null
    fields: Json<unknown>
    received_bytes: Default<number>
    total_bytes: number | null
    object_key: string | null
    stl_file_id: string | null
    error: string | null
    created_at: Moment
    updated_at: Moment
    expires_at: Moment | null
    fetched_at: Moment | null
  }
  stl_versions: {
    id: string
    stl_file_id: string
    number: number
    file_name: string
    file_size: number
    sha256: string
    object_key: string
    format: ModelFormat
    encoding: 'binary' | 'ascii' | null
    triangles: number | null
    bounding_box_mm: Json<unknown> | null
    volume_mm3: number | null
    surface_area_mm2: number | null
    is_watertight: boolean | null
    shells: number | null
    warnings: Default<Json<unknown>>
    analysis_status: Default<'pending' | 'done' | 'failed'>
    thumbnail_key: string | null
    uploaded_by: string | null
    created_at: Moment
    note: string | null
    metadata: Json<ModelMetadata> | null
    has_slicer_command: Default<boolean>
    clean_object_key: string | null
    clean_file_size: number | null
    clean_sha256: string | null
    print_estimate: Json<PrintEstimate> | null
    shape_hash: string | null
    preview_key: string | null
    second_thumbnail_key: string | null
    turntable_key: string | null
    turntable_failed_at: Moment | null
  }
  stl_words: {
    word: string
  }
  tags: {
    tag: string
    models: number
  }
  user_roles: {
    id: string
    user_id: string
    role_name: string
    permissions: Default<Json<Record<string, boolean>>>
    is_active: Default<boolean>
    created_at: Default<Moment>
    updated_at: Default<Moment>
  }
  vendors: {
    id: string
    number: Generated<number>
    name: string
    spool_weight_grams: Numeric | null
    comment: string | null
    external_id: string | null
    extra: Default<Json<Record<string, unknown>>>
    revision: Default<number>
    created_at: Moment
    updated_at: Moment
    deleted_at: Moment | null
  }
}

/** The columns of the views, which are read only. */
export interface Views {
  catalogue_items: {
    product_id: string
    name: string
    status: 'not_published' | 'publishing' | 'published' | 'failed'
    item_id: string | null
    deleted_at: Moment | null
  }
  catalogue_models: {
    product_id: string
    stl_file_id: string
  }
  catalogue_products: {
    id: string
    name: string
    slug: string
    status: 'not_published' | 'publishing' | 'published' | 'failed'
    deleted_at: Moment | null
  }
  labelled_things: {
    kind: ScanKind
    id: string
    code: string
    name: string
    sku: string | null
    location: string | null
    price_minor: number | null
    facts: Json<Record<string, unknown>>
    printed_at: Moment | null
    printed_facts: Json<Record<string, unknown>> | null
    created_at: Moment
    deleted_at: Moment | null
  }
  library_models: {
    id: string
    title: string
    license_type: LicenseType
    sale_allowed: boolean | null
    is_product: boolean
    current_version_id: string
    deleted_at: Moment | null
    has_picture: boolean
    version_number: number
  }
  library_versions: {
    id: string
    stl_file_id: string
    file_name: string
    file_size: number
    sha256: string
    object_key: string
    format: ModelFormat
    number: number
    picture_version: string | null
    has_picture: boolean
  }
  people: {
    id: string
    email: string
    username: string
    full_name: string
    role: string
    permissions: Json<Record<string, boolean>>
    metadata: Json<Record<string, unknown>>
    is_active: boolean
    system_access: boolean
    must_change_password: boolean
    last_sign_in_at: Moment | null
    is_enabled: boolean
    approved_at: Moment | null
    email_confirmed_at: Moment | null
    revision: number
    created_at: Moment
    new_email: string | null
    invited_at: Moment | null
    status: PersonStatus
    has_second_factor: boolean
  }
  placed_orders: {
    id: string
    order_number: string
    customer_name: string
    status: 'pending' | 'in_progress' | 'completed' | 'cancelled'
    due_at: Moment | null
    deleted_at: Moment | null
  }
  placed_printers: {
    id: string
    name: string
    location_id: string | null
    deleted_at: Moment | null
  }
  placed_spools: {
    id: string
    label_code: string
    location_id: string | null
    deleted_at: Moment | null
    name: string
  }
  print_demand: {
    id: string
    item_id: string | null
    order_id: string | null
    spool_id: string | null
    status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'failed' | 'on_hold'
    material: string | null
    color: string | null
    needed_grams: Numeric
  }
  print_job_labels: {
    id: string
    label_code: string
  }
  queue_demand: {
    id: string
    label_code: string
    name: string
    due_at: Moment | null
    is_printing: boolean
    priority: number
    position: number
    created_at: Moment
    material: string | null
    color: string | null
    color_hex: string | null
    lacks_estimate: boolean
    needed_grams: Numeric
  }
  queue_jobs: {
    id: string
    item_id: string | null
    stl_file_id: string | null
    stl_version_id: string | null
    status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'failed' | 'on_hold'
    quantity: number
    created_at: Moment
    deleted_at: Moment | null
  }
  scannable_items: {
    id: string
    label_code: string
    name: string
    sku: string
    status: ItemStatus
    quantity: number
    reserved_quantity: number
    reorder_point: number
    max_stock: number
    color_hex: string | null
    stl_file_id: string | null
    has_picture: boolean
    location_id: string | null
    location: string | null
  }
  scannable_jobs: {
    id: string
    label_code: string
    name: string
    status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'failed' | 'on_hold'
    quantity: number
    good_quantity: number
    rejected_quantity: number
    priority: number
    order_number: string | null
    due_at: Moment | null
    color_hex: string | null
    stl_file_id: string | null
    has_picture: boolean
    picture_version: string | null
  }
  scannable_locations: {
    id: string
    label_code: string
    name: string
    path: string
    location_kind: 'place' | 'bin'
    items: number
    spools: number
  }
  scannable_spools: {
    id: string
    label_code: string
    name: string
    material: string
    brand: string | null
    color: string
    color_hex: string | null
    status: SpoolStatus
    remaining_grams: number
    weight_grams: number
    spool_weight_grams: number | null
    location_id: string | null
    location: string | null
  }
  stock_items: {
    id: string
    name: string
    sku: string
    stl_file_id: string | null
    material_used: string | null
    color: string | null
    color_hex: string | null
    weight_grams: Numeric | null
    quantity: number
    available_quantity: number
    is_low: boolean
    deleted_at: Moment | null
  }
  stock_spools: {
    id: string
    label_code: string
    material: string
    name: string
    color: string
    color_hex: string | null
    remaining_grams: Numeric
    status: SpoolStatus
    deleted_at: Moment | null
  }
}

/** The jsonb columns of the tables. */
export const JSON_COLUMNS: { readonly [Table in keyof Tables]?: readonly string[] } = {
  accounts: ['user_metadata', 'app_metadata'],
  alert_preferences: ['choices'],
  alerts: ['facts'],
  audit_entries: ['before', 'after'],
  drafts: ['content'],
  filaments: ['extra'],
  idempotency_keys: ['response_body'],
  identities: ['identity_data'],
  items: ['cost_snapshot', 'label_printed_facts'],
  locations: ['label_printed_facts'],
  objects: ['user_metadata'],
  orders: ['received'],
  print_jobs: ['cost_snapshot'],
  printers: ['bed_mm'],
  products: ['bulk_tiers', 'license_override'],
  publications: ['payload'],
  sessions: ['amr'],
  signing_keys: ['public_jwk'],
  site_checks: ['differences', 'accepted', 'told'],
  spools: ['extra', 'label_printed_facts'],
  stl_imports: ['fields'],
  stl_versions: ['bounding_box_mm', 'warnings', 'metadata', 'print_estimate'],
  user_roles: ['permissions'],
  vendors: ['extra'],
}
