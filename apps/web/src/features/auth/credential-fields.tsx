import { isSamePassword, PASSWORD_MIN_LENGTH } from '@pegasus/contracts/auth/password-rules'
import type { ChangeEvent } from 'react'
import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PasswordInput } from '@/components/ui/forms/password-input.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface Credentials {
  email: string
  password: string
}

interface EmailFieldProps {
  /** The function `register` of react-hook-form. */
  register: (
    name: 'email',
    options: { onChange: (event: ChangeEvent<HTMLInputElement>) => void },
  ) => UseFormRegisterReturn
  error: string | undefined
  onEmailChange: ((email: string) => void) | undefined
  /** `username` tells a password manager that the form is for an existing account. */
  autoComplete: 'username' | 'email'
  autoFocus: boolean
}

/** The email field, shared by all forms of the email screen. */
export const EmailField = ({ register, error, onEmailChange, autoComplete, autoFocus }: EmailFieldProps) => (
  <Field label={t('Email')} isRequired error={error}>
    <Input
      {...register('email', { onChange: (event) => onEmailChange?.(event.target.value) })}
      controlSize="lg"
      type="email"
      placeholder={t('Enter your email')}
      autoComplete={autoComplete}
      autoFocus={autoFocus}
    />
  </Field>
)

interface CredentialFieldsProps {
  register: EmailFieldProps['register'] & ((name: 'password') => UseFormRegisterReturn)
  errors: FieldErrors<Credentials>
  /** The email that was typed in another form of the screen. */
  email: string
  onEmailChange: (email: string) => void
  /** True if the first empty field gets the focus. */
  isFocused: boolean
  /** True if the password is for a new account. */
  isNew?: boolean
}

/** The fields for email and password, for an existing or a new account. */
export const CredentialFields = ({
  register,
  errors,
  email,
  onEmailChange,
  isFocused,
  isNew = false,
}: CredentialFieldsProps) => (
  <>
    <EmailField
      register={register}
      error={errors.email?.message}
      onEmailChange={onEmailChange}
      autoComplete={isNew ? 'email' : 'username'}
      autoFocus={isFocused && email === ''}
    />
    <Field
      label={t('Password')}
      isRequired
      hint={isNew ? PASSWORD_HINT : undefined}
      error={errors.password?.message}
    >
      <PasswordInput
        {...register('password')}
        controlSize="lg"
        placeholder={isNew ? t('Choose a password') : t('Enter your password')}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        autoFocus={isFocused && email !== ''}
      />
    </Field>
  </>
)

const PASSWORD_HINT = t('At least {PASSWORD_MIN_LENGTH} characters', { PASSWORD_MIN_LENGTH })

/** The names of the two fields, for `watch` of react-hook-form. */
export const NEW_PASSWORD_FIELDS = ['new_password', 'confirm_password'] as const
export const NO_PASSWORDS = { new_password: '', confirm_password: '' }

interface NewPasswordFieldsProps {
  register: (name: (typeof NEW_PASSWORD_FIELDS)[number]) => UseFormRegisterReturn
  /** The values of the two fields, as `watch(NEW_PASSWORD_FIELDS)` returns them. */
  passwords: readonly [string, string]
  /** The reason why the new password is refused. */
  error?: string | undefined
  controlSize?: 'md' | 'lg'
  autoFocus?: boolean
}

/**
 * Fields for a new password and its confirmation. Disable the submit button while they differ:
 * `isSamePassword(...passwords)`.
 */
export const NewPasswordFields = ({
  register,
  passwords,
  error,
  controlSize = 'md',
  autoFocus = false,
}: NewPasswordFieldsProps) => (
  <>
    <Field label={t('New Password')} isRequired hint={PASSWORD_HINT} error={error}>
      <PasswordInput
        {...register('new_password')}
        controlSize={controlSize}
        toggle={{ show: t('Show new password'), hide: t('Hide new password') }}
        autoComplete="new-password"
        autoFocus={autoFocus}
      />
    </Field>
    <Field
      label={t('Confirm New Password')}
      isRequired
      error={passwords[1] !== '' && !isSamePassword(...passwords) ? t('Passwords do not match') : null}
    >
      <PasswordInput
        {...register('confirm_password')}
        controlSize={controlSize}
        toggle={{ show: t('Show confirmation'), hide: t('Hide confirmation') }}
        autoComplete="new-password"
      />
    </Field>
  </>
)
