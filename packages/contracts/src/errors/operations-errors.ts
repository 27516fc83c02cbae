import type { ErrorEntry } from './error-entry.ts'

/** What goes wrong with models, stock, spools, orders, print jobs and products. */
export const OPERATIONS_ERRORS = {
  // STL library
  MODEL_NOT_FOUND: { status: 404, message: 'This model is not in the library.' },
  MODEL_FILE_MISSING: { status: 422, message: 'Please select a file to upload.' },
  MODEL_REJECTED: { status: 422, message: 'This file is not a printable model.' },
  MODEL_URL_MISSING: { status: 422, message: 'Please enter a URL.' },
  MODEL_URL_REFUSED: {
    status: 422,
    message:
      'Nothing can be fetched from this address. Please check it, or download the file and choose it here.',
  },
  ARCHIVE_REJECTED: { status: 422, message: 'This archive cannot be opened.' },
  THUMBNAIL_NOT_READY: { status: 404, message: 'This model has no picture yet.' },
  TURNTABLE_FAILED: {
    status: 404,
    message:
      'The turntable of this model could not be drawn. Its other pictures are not affected. Please try again in an hour.',
    code: 'turntable_failed',
  },
  PREVIEW_NOT_READY: { status: 404, message: 'This model has not been measured yet.' },
  VERSION_NOT_FOUND: { status: 404, message: 'This version is not in the library.' },
  VERSION_UNCHANGED: { status: 422, message: 'This is the very file that the model has already.' },
  IMPORT_NOT_FOUND: { status: 404, message: 'This import is not there any more.' },
  IMPORT_STATE: {
    status: 409,
    message: 'The state of this import does not allow that.',
    code: 'import_state',
  },
  TOO_MANY_IMPORTS: {
    status: 409,
    message:
      'You have 50 imports under way or with files to try again, which is the most. Please finish or remove one first.',
    code: 'too_many_imports',
  },
  SAVED_SEARCH_NOT_FOUND: { status: 404, message: 'This saved search is not there any more.' },
  TOO_MANY_SAVED_SEARCHES: {
    status: 409,
    message: 'You have 100 saved searches, which is the most. Please delete one first.',
  },

  // Stock
  ITEM_NOT_FOUND: { status: 404, message: 'This item is not in the inventory.' },
  ITEM_INVALID: { status: 422, message: 'Some of the values of this item are not acceptable.' },
  SKU_TAKEN: { status: 409, message: 'Another item has this SKU.', code: 'sku_taken' },
  STOCK_LIMIT: {
    status: 409,
    message: 'Stock cannot go below 0 or above 1,000,000,000 pieces.',
    code: 'stock_limit',
  },
  STOCK_NOT_RESERVED: {
    status: 409,
    message: 'Not that many pieces are reserved.',
    code: 'stock_not_reserved',
  },
  STOCK_NOT_FREE: { status: 409, message: 'Not that many pieces are free.', code: 'stock_not_free' },
  MOVEMENT_INVALID: { status: 422, message: 'This kind of movement does not go in that direction.' },
  MOVEMENT_ALREADY_UNDONE: { status: 409, message: 'This movement has been undone already.' },
  MOVEMENT_NOT_FOUND: { status: 404, message: 'This movement is not in the journal.' },
  MOVEMENT_NOT_UNDOABLE: {
    status: 409,
    message: 'This movement cannot be undone any more.',
    code: 'movement_not_undoable',
  },
  ITEM_IN_USE: {
    status: 409,
    message: 'This item is still in use and cannot be deleted.',
    code: 'item_in_use',
  },
  LOCATION_NOT_FOUND: { status: 404, message: 'This location is not there.' },
  LOCATION_INVALID: { status: 422, message: 'Some of the values of this location are not acceptable.' },
  LOCATION_TAKEN: {
    status: 409,
    message: 'There is a location of this name already.',
    code: 'location_taken',
  },
  LOCATION_IN_USE: {
    status: 409,
    message: 'This location is not empty and cannot be deleted.',
    code: 'location_in_use',
  },
  TABLE_MISSING: { status: 422, message: 'Please select a CSV file.' },
  TABLE_REJECTED: {
    status: 422,
    message: 'Nothing was imported, since some rows are not acceptable.',
    code: 'table_rejected',
  },

  // Filament
  SPOOL_NOT_FOUND: { status: 404, message: 'This spool is not there.' },
  SPOOL_INVALID: { status: 422, message: 'Some of the values of this spool are not acceptable.' },
  SPOOL_WEIGHT_LIMIT: {
    status: 409,
    message: 'A spool cannot hold less than nothing, or more than 1,000 kg.',
    code: 'spool_weight_limit',
  },
  SPOOL_ENTRY_UNDONE: { status: 409, message: 'This entry has been undone already.' },
  SPOOL_ENTRY_NOT_FOUND: { status: 404, message: 'Entry not found.' },
  SPOOL_ENTRY_STAYS: {
    status: 409,
    message: 'This entry cannot be undone any more. Please correct what is left on the spool instead.',
    code: 'spool_entry_stays',
  },
  VENDOR_NOT_FOUND: { status: 404, message: 'This vendor is not there.' },
  VENDOR_TAKEN: { status: 409, message: 'There is a vendor of this name already.' },
  FILAMENT_NOT_FOUND: { status: 404, message: 'This filament is not there.' },
  FILAMENT_TAKEN: { status: 409, message: 'A filament with this name already exists.' },
  FILAMENT_IN_USE: { status: 409, message: 'There are spools of this filament. Please remove those first.' },
  SPOOL_TAG_TAKEN: { status: 409, message: 'Another spool has this tag.' },

  // Orders and print jobs
  ORDER_NOT_FOUND: { status: 404, message: 'This order is not here.' },
  ORDER_INVALID: { status: 422, message: 'Some of the values of this order are not acceptable.' },
  ORDER_NUMBER_TAKEN: {
    status: 409,
    message: 'There is an order with this number.',
    code: 'order_number_taken',
  },
  ORDER_EXTERNAL_ID_TAKEN: {
    status: 409,
    message: 'Another order has this external_id.',
    code: 'external_id_taken',
  },
  PRINT_JOB_NOT_FOUND: { status: 404, message: 'This print job is not in the queue.' },
  PRINT_JOB_INVALID: { status: 422, message: 'Some of the values of this print job are not acceptable.' },
  PRINT_JOB_STATE: {
    status: 409,
    message: 'The state of this print job does not allow that.',
    code: 'print_job_state',
  },
  PRINT_JOB_REPEATED: { status: 409, message: 'This print job has been queued again already.' },

  // Labels and scanning
  CODE_UNKNOWN: { status: 404, message: 'Nothing here has this code.', code: 'code_unknown' },
  LABELS_GONE: { status: 404, message: 'Nothing of what was chosen is there any more.' },
  LABEL_START_BEYOND: {
    status: 422,
    message: 'The first label would stand behind the last place of the sheet.',
  },

  // Alerts
  ALERT_NOT_FOUND: { status: 404, message: 'This alert is not there any more.' },

  // Products
  PRODUCT_NOT_FOUND: { status: 404, message: 'This product is not in the catalogue.' },
  PRODUCT_INVALID: { status: 422, message: 'Some of the values of this product are not acceptable.' },
  PRODUCT_SLUG_TAKEN: { status: 409, message: 'Another product has this slug.', code: 'slug_taken' },
  PRODUCT_SLUG_FIXED: {
    status: 409,
    message: 'The main site knows this product by its slug, so the slug stays as it is.',
    code: 'slug_fixed',
  },
  PRODUCT_IN_SHOP: {
    status: 409,
    message: 'This product is in the shop already.',
    code: 'product_in_shop',
  },
  PRODUCT_PUBLISHING: {
    status: 409,
    message: 'This product is on its way to the main site. Please wait a moment.',
    code: 'product_publishing',
  },
  LICENSE_BLOCKED: {
    status: 409,
    message: 'The licence does not allow selling this. An admin or owner can explain why it may be sold.',
    code: 'license_blocked',
  },
  MAIN_SITE_FAILED: {
    status: 502,
    message: 'The main site did not take the product.',
    code: 'main_site_failed',
  },
  PRODUCT_NOT_ON_SITE: {
    status: 409,
    message: 'This product was not published to the main site yet, so there is nothing to compare.',
    code: 'not_on_site',
  },
  SITE_SAYS_OTHERWISE: {
    status: 409,
    message: 'The main site says something else by now. Please look at the differences again.',
    code: 'site_says_otherwise',
  },
  DRAFT_NOT_FOUND: { status: 404, message: 'This draft is not there any more.' },
  TOO_MANY_DRAFTS: {
    status: 409,
    message: 'You have 200 drafts, which is the most. Please delete one first.',
    code: 'too_many_drafts',
  },
} as const satisfies Record<string, ErrorEntry>
