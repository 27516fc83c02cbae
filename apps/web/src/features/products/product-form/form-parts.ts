import type { FormErrors, ProductForm } from './product-form.ts'

/** What the parts of the form share, in the wizard as in the edit of a product. */
export interface FormPartProps {
  form: ProductForm
  errors: FormErrors
  onChange: (change: Partial<ProductForm>) => void
}
