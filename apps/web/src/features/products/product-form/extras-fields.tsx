import { PRODUCT_LICENSES } from '@pegasus/contracts/products/product-rules'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { BulkTiersField } from './bulk-tiers-field.tsx'
import { type FormPartProps, textInput } from './form-parts.ts'
import { LICENSE_WORDS } from './license-labels.ts'
import { LinksField } from './links-field.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Step 3: bulk prices, designer and license, and the models that the product is made from. */
export const ExtrasFields = ({ form, errors, onChange }: FormPartProps) => (
  <div className="grid grid-cols-6 gap-4">
    <BulkTiersField
      value={form.bulkTiers}
      error={errors.bulkTiers}
      onChange={(bulkTiers) => onChange({ bulkTiers })}
    />
    <Field label={t('License')} error={errors.license} className="col-span-2 phone:col-span-6">
      <Select
        name="license"
        value={form.license}
        onChange={(event) => onChange({ license: event.target.value })}
      >
        <option value="">{t('None: our own design')}</option>
        <Options
          of={PRODUCT_LICENSES.map((license) => ({ value: license, label: LICENSE_WORDS[license] }))}
        />
      </Select>
    </Field>
    <Field label={t('Designer')} error={errors.designer} className="col-span-2 phone:col-span-6">
      <Input {...textInput('designer', form, onChange)} placeholder={t('Designer name')} dir="auto" />
    </Field>
    <Field label={t('Designer URL')} error={errors.designerUrl} className="col-span-2 phone:col-span-6">
      <Input {...textInput('designerUrl', form, onChange)} type="url" placeholder="https://" />
    </Field>
    <LinksField form={form} onChange={onChange} />
  </div>
)
