import type { ProductField, ProductForm } from '../product-form/product-form.ts'

/** Fields of the form that are not part of the product. */
const OF_THE_WIZARD: readonly ProductField[] = ['isSlugCustom', 'uploadedFiles']

/** The fields of a product in which two forms differ. */
export const changedFields = (one: ProductForm, other: ProductForm): ProductField[] =>
  (Object.keys(one) as ProductField[]).filter(
    (field) => !OF_THE_WIZARD.includes(field) && JSON.stringify(one[field]) !== JSON.stringify(other[field]),
  )

export interface ProductMerge {
  /** The typed values, and for other fields the saved ones. */
  form: ProductForm
  theirs: ProductForm
  /** Fields that both have changed to different values. */
  conflicts: ProductField[]
}

/** Puts the typed values on top of those that somebody else has saved since `base`. */
export function mergeEdits(base: ProductForm, mine: ProductForm, theirs: ProductForm): ProductMerge {
  const typed = changedFields(base, mine)
  const changed = changedFields(base, theirs)
  return {
    form: { ...theirs, ...Object.fromEntries(typed.map((field) => [field, mine[field]])) },
    theirs,
    conflicts: changedFields(mine, theirs).filter(
      (field) => typed.includes(field) && changed.includes(field),
    ),
  }
}
