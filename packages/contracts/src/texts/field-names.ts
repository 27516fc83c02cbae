/** Names of fields on the screens. The table contains only fields whose API name would give a different name. */
const SHOWN_NAMES: Readonly<Record<string, string>> = {
  carrier: 'Carrier',
  color_hex: 'Color code',
  customer_email: 'Email',
  customer_name: 'Customer',
  dried_at: 'Dried on',
  due_at: 'Due',
  from: 'Start',
  good_quantity: 'Good',
  gross_grams: 'Gross weight in g',
  inventory_item_id: 'Item',
  length_mm: 'Length in mm',
  line1: 'Street and number',
  line2: 'Second line',
  opened_at: 'Opened on',
  placed_at: 'Ordered on',
  print_minutes: 'Print time in minutes',
  print_time_minutes: 'Print time in minutes',
  rejected_quantity: 'Rejected',
  remaining_grams: 'Remaining weight in g',
  sku: 'SKU',
  spool_weight_grams: 'Weight of the empty spool in g',
  stl_file_id: 'Model',
  stl_file_ids: 'Models',
  to: 'End',
  tracking_url: 'Tracking link',
  url: 'Address',
  used_grams: 'Used weight in g',
  used_mm: 'Used length in mm',
  weight_grams: 'Weight in g',
}

/**
 * The name of a field in the API, at the beginning of a message about its value. Other texts can begin with the name
 * of a printer or a file, so only the usual messages match.
 */
const LEADING_NAME =
  /^([a-z][a-z0-9]*(?:_[a-z0-9]+)*)(?= (?:must (?:be|contain|name|not)|can (?:be|have|name)|cannot be|contains|does not come|is (?:an?|not an?|one|true|written)) | is (?:required|too large|too long)\.?$)/

/** Spells a field's name as words: `max_stock` is `Max stock`, and `printer_id` is `Printer`. */
const spelled = (name: string): string => {
  const words = name.replace(/_ids?$/, '').replaceAll('_', ' ')
  return SHOWN_NAMES[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Replaces a field's name in the API by its name on the screens: `tracking_url must be a web address` becomes
 * `Tracking link must be a web address`. Any other text stays as it is.
 */
export const spellFieldName = (text: string): string => text.replace(LEADING_NAME, spelled)
