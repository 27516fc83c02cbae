import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import type { useCode } from '../second-factor/use-code.ts'
import { t } from '@/lib/i18n/messages.ts'

type FieldState = Omit<ReturnType<typeof useCode>['field'], 'onComplete'>

interface PhoneFieldProps {
  field: FieldState
  controlSize?: 'md' | 'lg'
}

/** The field for a phone number with its country code. */
export const PhoneField = ({ field: { onChange, ...field }, controlSize = 'md' }: PhoneFieldProps) => (
  <Field label={t('Phone number')} isRequired hint={t('With the country code, such as +1 555 555 0100')}>
    <Input
      {...field}
      onChange={(event) => onChange(event.target.value)}
      controlSize={controlSize}
      type="tel"
      autoComplete="tel"
      autoFocus
    />
  </Field>
)

/** The field for a code that was sent to a phone. Its length is a setting of the server. */
export const PhoneCodeField = ({ field: { onChange, ...field }, controlSize = 'md' }: PhoneFieldProps) => (
  <Field label={t('Code')} isRequired hint={t('The digits in the latest message')}>
    <Input
      {...field}
      onChange={(event) => onChange(event.target.value.replace(/\D/g, ''))}
      controlSize={controlSize}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
    />
  </Field>
)
