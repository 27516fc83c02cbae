import type { InputProps } from '@/components/ui/forms/input.tsx'
import type { FormErrors, ProductForm } from './product-form.ts'

/** Props that the parts of the form share, in the wizard and when editing. */
export interface FormPartProps {
  form: ProductForm
  errors: FormErrors
  onChange: (change: Partial<ProductForm>) => void
}

type TextField = 'name' | 'slug' | 'tags' | 'designer' | 'designerUrl'

/** Returns the props of the Input for a text field of the product. */
export const textInput = (
  name: TextField,
  form: ProductForm,
  onChange: FormPartProps['onChange'],
): InputProps => ({
  name,
  value: form[name],
  autoComplete: 'off',
  onChange: (event) => onChange({ [name]: event.target.value }),
})
