import type { ErrorEntry } from './error-entry.ts'

/** What goes wrong with models, stock, spools, orders, print jobs and products. */
export const SHOP_ERRORS = {
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
  LOCATION_TAKEN: { status: 409, message: 'There is a location of this name already.' },

  // Filament
  SPOOL_NOT_FOUND: { status: 404, message: 'This spool is not there.' },
  SPOOL_INVALID: { status: 422, message: 'Some of the values of this spool are not acceptable.' },
  SPOOL_WEIGHT_LIMIT: {
    status: 409,
    message: 'A spool cannot hold less than nothing, or more than 1,000 kg.',
    code: 'spool_weight_limit',
  },
  SPOOL_ENTRY_UNDONE: { status: 409, message: 'This entry has been undone already.' },
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

  // Products
  PRODUCT_NOT_FOUND: { status: 404, message: 'This product is not in the catalogue.' },
  PRODUCT_INVALID: { status: 422, message: 'Some of the values of this product are not acceptable.' },
  PRODUCT_SLUG_TAKEN: { status: 409, message: 'Another product has this slug.', code: 'slug_taken' },
} as const satisfies Record<string, ErrorEntry>
