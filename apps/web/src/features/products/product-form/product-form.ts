import type { DraftContent } from '@pegasus/contracts/products/drafts'
import type { ProductStart } from '@pegasus/contracts/products/setup'
import { type Product, saveProductBody, type SaveProductBody } from '@pegasus/contracts/products/products'
import {
  findBasicsFaults,
  findProductFaults,
  parseTags,
  toSlug,
} from '@pegasus/contracts/products/product-rules'
import { formatGrams, formatSizeMm } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** The fields of a product in the wizard, with their typed values, valid or not. */
export type ProductForm = { [Field in keyof DraftContent]-?: Exclude<DraftContent[Field], undefined> }
export type ProductField = keyof ProductForm
export type FormErrors = Partial<Record<ProductField, string>>

export const STEPS = [t('Basics'), t('Media'), t('Extras'), t('Review')] as const
export type Step = 1 | 2 | 3 | 4

export const toStep = (number: number): Step => (number === 2 || number === 3 || number === 4 ? number : 1)

/** Maps a field to its step. Fields without a step are checked at the review. */
const STEP_OF: Partial<Record<ProductField, Step>> = {
  name: 1,
  slug: 1,
  category: 1,
  price: 1,
  stock: 1,
  description: 1,
  tags: 1,
  images: 2,
  videos: 2,
  posterUrl: 2,
  bulkTiers: 3,
  license: 3,
  designer: 3,
  designerUrl: 3,
  stl_file_ids: 3,
  inventory_item_id: 3,
}

export const FIELD_LABELS: Readonly<Record<ProductField, string>> = {
  name: t('Name'),
  slug: t('Slug'),
  isSlugCustom: t('Slug'),
  category: t('Category'),
  price: t('Price'),
  stock: t('Stock'),
  description: t('Description'),
  tags: t('Tags'),
  images: t('Images'),
  videos: t('Videos'),
  posterUrl: t('Poster'),
  uploadedFiles: t('Files'),
  bulkTiers: t('Bulk tiers'),
  license: t('License'),
  designer: t('Designer'),
  designerUrl: t('Designer URL'),
  inventory_item_id: t('Inventory item'),
  stl_file_ids: t('Models'),
}

export const isField = (name: string): name is ProductField => Object.hasOwn(FIELD_LABELS, name)

export const stepOf = (field: ProductField): Step => STEP_OF[field] ?? 4

export const EMPTY_FORM: ProductForm = {
  name: '',
  slug: '',
  isSlugCustom: false,
  category: '',
  price: '',
  stock: '',
  description: '',
  tags: '',
  images: [],
  videos: [],
  posterUrl: '',
  uploadedFiles: [],
  bulkTiers: '',
  license: '',
  designer: '',
  designerUrl: '',
  inventory_item_id: null,
  stl_file_ids: [],
}

export const formOfContent = (content: DraftContent): ProductForm => ({
  ...EMPTY_FORM,
  // Undefined fields are left out.
  ...(Object.fromEntries(
    Object.entries(content).filter(([, value]) => value !== undefined),
  ) as Partial<ProductForm>),
})

export const isSameForm = (one: ProductForm, other: ProductForm): boolean =>
  JSON.stringify(formOfContent(one)) === JSON.stringify(formOfContent(other))

export const isEmptyForm = (form: ProductForm): boolean => isSameForm(form, EMPTY_FORM)

/** Applies an edit and its effect on other fields. The slug follows the name until somebody has typed a slug. */
export function withChange(form: ProductForm, change: Partial<ProductForm>): ProductForm {
  const next = { ...form, ...change }
  if (change.slug !== undefined) return { ...next, isSlugCustom: change.slug !== '' }
  if (change.name !== undefined && !form.isSlugCustom) return { ...next, slug: toSlug(change.name) }
  return next
}

const errorsOf = (faults: readonly { field: string; message: string }[]): FormErrors =>
  Object.fromEntries(faults.map(({ field, message }) => [field, message]))

/** Returns the errors of step 1; empty if it is valid. */
export const basicsErrors = (form: ProductForm): FormErrors => errorsOf(findBasicsFaults(form))

/** Returns the errors of all steps. */
export const formErrors = (form: ProductForm): FormErrors => errorsOf(findProductFaults(wireOf(form)))

/**
 * Returns those of the shown errors that still apply. A field that was filled in automatically loses its
 * error.
 */
export function stillWrong(found: FormErrors, form: ProductForm): FormErrors {
  const wrong: FormErrors = { ...formErrors(form), ...basicsErrors(form) }
  const fields = (Object.keys(found) as ProductField[]).filter((field) => wrong[field] !== undefined)
  return Object.fromEntries(fields.map((field) => [field, wrong[field]]))
}

/** Returns the request body before it is parsed. Numbers and tiers are still strings. */
export const wireOf = (form: ProductForm) => ({
  name: form.name,
  slug: form.slug,
  category: form.category,
  price: form.price,
  stock: form.stock,
  description: form.description,
  tags: parseTags(form.tags),
  images: form.images,
  videos: form.videos,
  posterUrl: form.posterUrl,
  bulkTiers: form.bulkTiers,
  license: form.license,
  designer: form.designer,
  designerUrl: form.designerUrl,
  inventory_item_id: form.inventory_item_id,
  stl_file_ids: form.stl_file_ids,
})

/** Returns the request body. Throws an error with the first message. */
export function bodyOf(form: ProductForm): SaveProductBody {
  const parsed = saveProductBody.safeParse(wireOf(form))
  if (!parsed.success)
    throw new Error(serverText(parsed.error.issues[0]?.message ?? 'This product is not complete.'))
  return parsed.data
}

/** Returns the form of a product in the catalog, for editing. */
export const formOfProduct = (product: Product): ProductForm => ({
  ...EMPTY_FORM,
  name: product.name,
  slug: product.slug,
  isSlugCustom: true,
  category: product.category,
  price: String(product.price),
  stock: String(product.stock),
  description: product.description,
  tags: product.tags.join(', '),
  images: product.images,
  videos: product.videos,
  posterUrl: product.posterUrl ?? '',
  bulkTiers: product.bulkTiers ? JSON.stringify(product.bulkTiers) : '',
  license: product.license ?? '',
  designer: product.designer ?? '',
  designerUrl: product.designerUrl ?? '',
  inventory_item_id: product.inventory_item_id,
  stl_file_ids: product.stl_file_ids,
})

/** Returns the form of a new product, with the known data of a model or an item. */
export const formOfStart = (start: ProductStart): ProductForm => ({
  ...EMPTY_FORM,
  name: start.name,
  slug: start.slug,
  isSlugCustom: start.slug !== toSlug(start.name),
  price: start.price === null ? '' : start.price.toFixed(2),
  stock: start.stock === null ? '' : String(start.stock),
  description: describe(start),
  tags: start.tags.join(', '),
  license: start.license ?? '',
  designer: start.designer ?? '',
  designerUrl: start.designerUrl ?? '',
  inventory_item_id: start.inventory_item_id,
  stl_file_ids: start.stl_file_ids,
})

/** Returns the description of a product from a model: its own description and its measurements. */
const describe = ({ description, size_mm: size, weight_grams: grams }: ProductStart): string =>
  [
    description.trim(),
    [
      size && t('Size: {size}', { size: formatSizeMm(size) }),
      grams !== null && grams > 0 && t('Weight: {grams}', { grams: formatGrams(grams) }),
    ]
      .filter(Boolean)
      .join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
