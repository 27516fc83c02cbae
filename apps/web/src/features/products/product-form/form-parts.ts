import type { FormErrors, ProductForm } from './product-form.ts'

/** Props that the parts of the form share, in the wizard and in the edit form. */
export interface FormPartProps {
  form: ProductForm
  errors: FormErrors
  onChange: (change: Partial<ProductForm>) => void
}
