import { PRODUCT_CATEGORIES } from '@pegasus/contracts/products/product-rules'
import type { ReactNode } from 'react'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { NumberInput } from '@/components/ui/forms/number-input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { useConfig } from '@/lib/http/config.ts'
import { type FormPartProps, textInput } from './form-parts.ts'
import { t } from '@/lib/i18n/messages.ts'
import { CATEGORY_LABELS } from './category-labels.ts'

interface BasicsFieldsProps extends FormPartProps {
  /** False if the slug cannot be changed, because the shop already uses it for the product. */
  isSlugFree?: boolean
  slugHint?: string
  priceHint?: ReactNode
  stockHint?: ReactNode
}

/** Step 1: the required fields and the tags. */
export function BasicsFields({
  form,
  errors,
  onChange,
  isSlugFree = true,
  slugHint,
  priceHint,
  stockHint,
}: BasicsFieldsProps) {
  const currency = useConfig()?.currency ?? 'USD'
  const numberInput = (name: 'price' | 'stock', step: number) => ({
    name,
    value: form[name],
    onChange: (value: string) => onChange({ [name]: value }),
    min: 0,
    step,
  })
  return (
    <div className="grid grid-cols-6 gap-4">
      <Field label={t('Name')} isRequired error={errors.name} className="col-span-6">
        <Input {...textInput('name', form, onChange)} placeholder={t('Product name')} dir="auto" />
      </Field>
      <Field
        label={t('Slug')}
        isRequired
        error={errors.slug}
        hint={
          slugHint ??
          (form.isSlugCustom
            ? t('If you clear it, it follows the name again.')
            : t('Follows the name until you change it.'))
        }
        className="col-span-6"
      >
        <Input
          {...textInput('slug', form, onChange)}
          placeholder="product-slug"
          readOnly={!isSlugFree}
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field label={t('Category')} isRequired error={errors.category} className="col-span-2 phone:col-span-6">
        <Select
          name="category"
          value={form.category}
          onChange={(event) => onChange({ category: event.target.value })}
        >
          <option value="">{t('Choose a category')}</option>
          <Options of={PRODUCT_CATEGORIES.map((each) => ({ value: each, label: CATEGORY_LABELS[each] }))} />
        </Select>
      </Field>
      <Field
        label={t('Price')}
        isRequired
        error={errors.price}
        hint={priceHint}
        className="col-span-2 phone:col-span-3"
      >
        <NumberInput {...numberInput('price', 0.01)} placeholder={t('e.g. 12.50')} unit={currency} />
      </Field>
      <Field
        label={t('Stock')}
        isRequired
        error={errors.stock}
        hint={stockHint}
        className="col-span-2 phone:col-span-3"
      >
        <NumberInput {...numberInput('stock', 1)} placeholder={t('e.g. 25')} />
      </Field>
      <Field label={t('Description')} isRequired error={errors.description} className="col-span-6">
        <Textarea
          name="description"
          rows={5}
          value={form.description}
          placeholder={t('What it is, what it is made of, what it fits')}
          dir="auto"
          onChange={(event) => onChange({ description: event.target.value })}
        />
      </Field>
      <Field
        label={t('Tags')}
        error={errors.tags}
        hint={t('Separate tags with commas')}
        className="col-span-6"
      >
        <Input {...textInput('tags', form, onChange)} placeholder={t('tag, another tag')} dir="auto" />
      </Field>
    </div>
  )
}
