import { type InventoryItem, MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory/items'
import {
  type CreateIdenticalBody,
  createIdenticalBody,
  ITEM_DEFAULTS,
  MAX_IDENTICAL_ITEMS,
  MAX_PIECES_PER_PRINT,
  MAX_PRINT_TIME_MINUTES,
  type UpdateItemBody,
  updateItemBody,
} from '@pegasus/contracts/inventory/item-changes'
import { formatCount } from '@/lib/format/format.ts'
import {
  emptyForm,
  errorsAtFields,
  type FieldErrors,
  type FormText,
  type ReadResult,
} from '@/lib/forms/form-merge.ts'
import { amountText, numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { withoutIsolates } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The fields of an item and their labels. */
export const ITEM_LABELS = {
  name: t('Name'),
  sku: t('SKU'),
  stl_file_id: t('Source STL'),
  quantity: t('Quantity'),
  reorder_point: t('Reorder point'),
  max_stock: t('Max stock'),
  safety_stock: t('Safety stock'),
  status: t('Status'),
  location: t('Location'),
  bin_location: t('Bin location'),
  material_used: t('Material used'),
  color: t('Color'),
  color_hex: t('Color code'),
  print_time_minutes: t('Print time'),
  pieces_per_print: t('Pieces per print'),
  weight_grams: t('Weight of a piece'),
  material_cost: t('Material cost'),
  labor_cost: t('Labor cost'),
  selling_price: t('Selling price'),
  print_settings: t('Print settings'),
  notes: t('Notes'),
} as const
export type ItemForm = FormText<keyof typeof ITEM_LABELS>

/** `copies` is the number of identical items to add. */
export type NewItemField = keyof ItemForm | 'copies'
export type NewItemForm = FormText<NewItemField>

const isItemField = (name: string): name is keyof ItemForm => name in ITEM_LABELS
export const isNewItemField = (name: string): name is NewItemField => isItemField(name) || name === 'copies'

export const EMPTY_ITEM: NewItemForm = {
  ...emptyForm(ITEM_LABELS),
  quantity: String(ITEM_DEFAULTS.quantity),
  reorder_point: String(ITEM_DEFAULTS.reorder_point),
  max_stock: String(ITEM_DEFAULTS.max_stock),
  safety_stock: String(ITEM_DEFAULTS.safety_stock),
  status: ITEM_DEFAULTS.status,
  pieces_per_print: String(ITEM_DEFAULTS.pieces_per_print),
  copies: '1',
}

const AMOUNTS: readonly string[] = ['material_cost', 'labor_cost', 'selling_price']

/**
 * Returns the text of a field. An amount has at least two decimals (`26.90`), unless it is a whole number.
 */
function textOf(field: keyof ItemForm, value: string | number | null): string {
  if (typeof value !== 'number') return value ?? ''
  return AMOUNTS.includes(field) ? amountText(value) : numberText(value)
}

/** Returns the form of an item. ITEM_LABELS has every field as a key, and an item has a value for each. */
export const formOf = (item: InventoryItem): ItemForm =>
  Object.fromEntries(
    (Object.keys(ITEM_LABELS) as (keyof ItemForm)[]).map((field) => [field, textOf(field, item[field])]),
  ) as ItemForm

/** Fills the form from an existing item. Name, SKU and stock are not copied. */
export const copyOf = (item: InventoryItem): NewItemForm => ({
  ...formOf(item),
  name: withoutIsolates(t('{name} (copy)', { name: item.name })),
  sku: '',
  quantity: '0',
  status: ITEM_DEFAULTS.status,
  copies: '1',
})

type NumberField = Extract<
  NewItemField,
  | 'quantity'
  | 'reorder_point'
  | 'max_stock'
  | 'safety_stock'
  | 'print_time_minutes'
  | 'pieces_per_print'
  | 'weight_grams'
  | 'material_cost'
  | 'labor_cost'
  | 'selling_price'
  | 'copies'
>

interface NumberRule {
  min: number
  /** The largest value. Left out if real values are far below the limit of the schema. */
  max?: number
  isWhole: boolean
  /** The value of an empty field, or `required` if an empty field is an error. */
  empty: number | null | 'required'
}

const stock = (empty: NumberRule['empty']): NumberRule => ({
  min: 0,
  max: MAX_ITEM_QUANTITY,
  isWhole: true,
  empty,
})
const amount: NumberRule = { min: 0, isWhole: false, empty: null }

const NUMBERS: Readonly<Record<NumberField, NumberRule>> = {
  quantity: stock('required'),
  reorder_point: stock(0),
  max_stock: stock(0),
  safety_stock: stock(0),
  print_time_minutes: { min: 0, max: MAX_PRINT_TIME_MINUTES, isWhole: true, empty: null },
  pieces_per_print: {
    min: 1,
    max: MAX_PIECES_PER_PRINT,
    isWhole: true,
    empty: ITEM_DEFAULTS.pieces_per_print,
  },
  weight_grams: amount,
  material_cost: amount,
  labor_cost: amount,
  selling_price: amount,
  copies: { min: 1, max: MAX_IDENTICAL_ITEMS, isWhole: true, empty: 1 },
}

export const isNumberField = (field: string): field is NumberField => field in NUMBERS

/** Cleans up a number field when it loses the focus. Text that is not a number becomes 0. */
export function normalizeNumber(field: NumberField, text: string): string {
  if (text.trim() === '') return NUMBERS[field].empty === 0 ? '0' : ''
  return Number.isFinite(typedNumber(text)) ? text.trim() : '0'
}

/** Reads the number of a field, or returns the error shown beside the field. */
function readNumber(field: NumberField, text: string): { value: number | null } | { error: string } {
  const { min, max, isWhole, empty } = NUMBERS[field]
  const typed = typedNumber(normalizeNumber(field, text))
  if (typed === null) {
    if (empty === 'required')
      return { error: t('{quantity} is required', { quantity: ITEM_LABELS.quantity }) }
    return { value: empty }
  }
  if ((isWhole && !Number.isInteger(typed)) || (max !== undefined && typed > max))
    return {
      error: t('Enter a whole number from {min} to {max}.', {
        min: formatCount(min),
        max: formatCount(max ?? MAX_ITEM_QUANTITY),
      }),
    }
  return typed < min ? { error: t('Enter {min} or more.', { min }) } : { value: typed }
}

interface Schema<Body> {
  safeParse: (
    wire: unknown,
  ) =>
    | { success: true; data: Body }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } }
}

/**
 * Reads the given fields of a form. Number fields follow the rules in `NUMBERS`; then the contract's schema
 * checks all fields.
 */
function readFields<Body, Field extends NewItemField>(
  form: FormText<Field>,
  fields: readonly Field[],
  schema: Schema<Body>,
  isField: (name: string) => name is Field,
): ReadResult<Body, Field> {
  const wire: Record<string, unknown> = {}
  const errors: FieldErrors<Field> = {}
  for (const field of fields) {
    if (!isNumberField(field)) {
      wire[field] = form[field]
      continue
    }
    const read = readNumber(field, form[field])
    if ('error' in read) errors[field] = read.error
    else wire[field] = read.value
  }
  const parsed = schema.safeParse(wire)
  if (parsed.success && Object.keys(errors).length === 0) return { body: parsed.data, errors: null }
  const found = parsed.success ? {} : errorsAtFields(parsed.error.issues, isField)
  return { body: null, errors: { ...found, ...errors } }
}

export const readNewItem = (form: NewItemForm): ReadResult<CreateIdenticalBody, NewItemField> =>
  readFields(form, Object.keys(form).filter(isNewItemField), createIdenticalBody, isNewItemField)

/** Reads only the changed fields, so that an edit never overwrites other people's changes. */
export const readItemEdit = (
  form: ItemForm,
  changed: readonly (keyof ItemForm)[],
): ReadResult<UpdateItemBody, keyof ItemForm> => readFields(form, changed, updateItemBody, isItemField)
