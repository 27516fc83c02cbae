import {
  DEFAULT_MAX_STOCK,
  DEFAULT_QUANTITY,
  DEFAULT_REORDER_POINT,
  type InventoryItem,
  MAX_ITEM_QUANTITY,
} from '@pegasus/contracts/inventory/items'
import {
  type CreateIdenticalBody,
  createIdenticalBody,
  DEFAULT_ITEM_STATUS,
  DEFAULT_PIECES_PER_PRINT,
  MAX_IDENTICAL_ITEMS,
  MAX_PIECES_PER_PRINT,
  MAX_PRINT_TIME_MINUTES,
  type UpdateItemBody,
  updateItemBody,
} from '@pegasus/contracts/inventory/item-changes'
import { formatCount } from '@/lib/format/format.ts'
import { errorsAtFields, type FieldErrors, type FormText, type ReadResult } from '@/lib/forms/form-merge.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'

/** The fields of an item, in the words of their labels. */
export const ITEM_LABELS = {
  name: 'Name',
  sku: 'SKU',
  stl_file_id: 'Source STL',
  quantity: 'Quantity',
  reorder_point: 'Reorder point',
  max_stock: 'Max stock',
  status: 'Status',
  location: 'Location',
  bin_location: 'Bin location',
  material_used: 'Material used',
  color: 'Color',
  color_hex: 'Color code',
  print_time_minutes: 'Print time',
  pieces_per_print: 'Pieces per print',
  weight_grams: 'Weight of a piece',
  material_cost: 'Material cost',
  labor_cost: 'Labor cost',
  selling_price: 'Selling price',
  print_settings: 'Print settings',
  notes: 'Notes',
} as const
export type ItemField = keyof typeof ITEM_LABELS
export type ItemForm = FormText<ItemField>

/** A new item may be several. */
export type NewItemField = ItemField | 'copies'
export type NewItemForm = FormText<NewItemField>

const isItemField = (name: string): name is ItemField => name in ITEM_LABELS
export const isNewItemField = (name: string): name is NewItemField => isItemField(name) || name === 'copies'

export const EMPTY_ITEM: NewItemForm = {
  ...(Object.fromEntries(Object.keys(ITEM_LABELS).map((field) => [field, ''])) as ItemForm),
  quantity: String(DEFAULT_QUANTITY),
  reorder_point: String(DEFAULT_REORDER_POINT),
  max_stock: String(DEFAULT_MAX_STOCK),
  status: DEFAULT_ITEM_STATUS,
  pieces_per_print: String(DEFAULT_PIECES_PER_PRINT),
  copies: '1',
}

/** `26.90` rather than `26.9`; an amount of a currency without decimals as it is. */
const amountText = (amount: number | null): string =>
  amount !== null && !Number.isInteger(amount)
    ? amount.toFixed(Math.max(2, decimalsOf(amount)))
    : numberText(amount)

const decimalsOf = (amount: number): number => String(amount).split('.')[1]?.length ?? 0

export const formOf = (item: InventoryItem): ItemForm => ({
  name: item.name,
  sku: item.sku,
  stl_file_id: item.stl_file_id ?? '',
  quantity: String(item.quantity),
  reorder_point: String(item.reorder_point),
  max_stock: String(item.max_stock),
  status: item.status,
  location: item.location ?? '',
  bin_location: item.bin_location ?? '',
  material_used: item.material_used ?? '',
  color: item.color ?? '',
  color_hex: item.color_hex ?? '',
  print_time_minutes: numberText(item.print_time_minutes),
  pieces_per_print: String(item.pieces_per_print),
  weight_grams: numberText(item.weight_grams),
  material_cost: amountText(item.material_cost),
  labor_cost: amountText(item.labor_cost),
  selling_price: amountText(item.selling_price),
  print_settings: item.print_settings ?? '',
  notes: item.notes ?? '',
})

/** A copy has a name, a SKU and a stock of its own. */
export const copyOf = (item: InventoryItem): NewItemForm => ({
  ...formOf(item),
  name: `${item.name} (copy)`,
  sku: '',
  quantity: '0',
  status: DEFAULT_ITEM_STATUS,
  copies: '1',
})

type NumberField = Extract<
  NewItemField,
  | 'quantity'
  | 'reorder_point'
  | 'max_stock'
  | 'print_time_minutes'
  | 'pieces_per_print'
  | 'weight_grams'
  | 'material_cost'
  | 'labor_cost'
  | 'selling_price'
  | 'copies'
>

interface NumberRule {
  least: number
  /** Absent where the schema's own limit is out of anybody's reach. */
  most?: number
  isWhole: boolean
  /** What an empty field stands for; `required` is told. */
  empty: number | null | 'required'
}

const stock = (empty: NumberRule['empty']): NumberRule => ({
  least: 0,
  most: MAX_ITEM_QUANTITY,
  isWhole: true,
  empty,
})
const amount: NumberRule = { least: 0, isWhole: false, empty: null }

const NUMBERS: Readonly<Record<NumberField, NumberRule>> = {
  quantity: stock('required'),
  reorder_point: stock(0),
  max_stock: stock(0),
  print_time_minutes: { least: 0, most: MAX_PRINT_TIME_MINUTES, isWhole: true, empty: null },
  pieces_per_print: {
    least: 1,
    most: MAX_PIECES_PER_PRINT,
    isWhole: true,
    empty: DEFAULT_PIECES_PER_PRINT,
  },
  weight_grams: amount,
  material_cost: amount,
  labor_cost: amount,
  selling_price: amount,
  copies: { least: 1, most: MAX_IDENTICAL_ITEMS, isWhole: true, empty: 1 },
}

export const isNumberField = (field: string): field is NumberField => field in NUMBERS

/** What a number field holds once it is left: what is no number has become 0. */
export function settledNumber(field: NumberField, text: string): string {
  if (text.trim() === '') return NUMBERS[field].empty === 0 ? '0' : ''
  return Number.isFinite(typedNumber(text)) ? text.trim() : '0'
}

/** The number of a field, or the sentence that stands beside it. */
function readNumber(field: NumberField, text: string): { value: number | null } | { error: string } {
  const { least, most, isWhole, empty } = NUMBERS[field]
  const typed = typedNumber(settledNumber(field, text))
  if (typed === null) {
    if (empty === 'required') return { error: `${ITEM_LABELS.quantity} is required` }
    return { value: empty }
  }
  if ((isWhole && !Number.isInteger(typed)) || (most !== undefined && typed > most))
    return {
      error: `Enter a whole number from ${formatCount(least)} to ${formatCount(most ?? MAX_ITEM_QUANTITY)}.`,
    }
  return typed < least ? { error: `Enter ${least} or more.` } : { value: typed }
}

interface Schema<Body> {
  safeParse: (
    wire: unknown,
  ) =>
    | { success: true; data: Body }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } }
}

/** Reads these fields of a form, numbers first, and has the contract's schema judge the rest. */
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

/** What changed alone: the rest stays as it is, whoever changes it meanwhile. */
export const readItemEdit = (
  form: ItemForm,
  changed: readonly ItemField[],
): ReadResult<UpdateItemBody, ItemField> => readFields(form, changed, updateItemBody, isItemField)
