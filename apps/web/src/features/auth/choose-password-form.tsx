import { isSamePassword, newPasswordError } from '@pegasus/contracts/auth/password-rules'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { choosePassword } from '@/lib/session/own-account.ts'
import { refreshUser } from '@/lib/session/session.ts'
import { NEW_PASSWORD_FIELDS, NewPasswordFields, NO_PASSWORDS } from './credential-fields.tsx'
import { providerCode, providerMessage, weakPasswordAdvice } from './provider-message.ts'
import { SignInCard } from './sign-in-card.tsx'
import { errorText } from './error-text.ts'
import { focusField } from '@/lib/forms/focus-field.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

/**
 * Error codes after which the session can no longer set a password, so that the person needs another link.
 */
const NEEDS_NEW_LINK: readonly (string | null)[] = [
  'reauthentication_required',
  'reauthentication_needed',
  'session_not_found',
  'bad_jwt',
  'no_authorization',
]

interface ChoosePasswordFormProps {
  /** True if the person was invited and has no password yet. */
  isInvited: boolean
  fullName: string
  email: string
  onChosen: () => void
  /** Called if the session is too old or has ended. */
  onLinkExpired: () => void
}

/** Sets a new password for a person who has opened a link. The current password is not needed. */
export function ChoosePasswordForm(props: ChoosePasswordFormProps) {
  const { isInvited, fullName, email, onChosen, onLinkExpired } = props
  const { register, handleSubmit, watch, formState, setError } = useForm({
    defaultValues: NO_PASSWORDS,
  })
  const [failure, setFailure] = useState<string | null>(null)
  const passwords = watch(NEW_PASSWORD_FIELDS)

  const onSubmit = handleSubmit(async ({ new_password: password }, submit) => {
    const broken = newPasswordError(password)
    setFailure(broken && errorText(broken))
    if (broken) return focusField(submit, 'new_password')
    try {
      await choosePassword(password)
      onChosen()
    } catch (error) {
      if (NEEDS_NEW_LINK.includes(providerCode(error))) return onLinkExpired()
      // The role now requires a second factor. Load the account again, so that the page shows the setup.
      if (providerCode(error) === 'insufficient_aal') await refreshUser()
      setFailure(providerMessage(error, t('Failed to change password')))
      const advice = weakPasswordAdvice(error)
      if (advice) setError('new_password', { message: advice })
      focusField(submit, 'new_password')
    }
  })

  return (
    <SignInCard
      title={isInvited ? welcome(fullName) : t('Choose a new password')}
      intro={
        isInvited ? (
          <>
            {rich('You have been invited as {email}. Choose your password to begin.', {
              email: <bdi className="font-medium text-ink">{email}</bdi>,
            })}
          </>
        ) : (
          <>
            {rich('For {email}. You will be signed out everywhere else.', {
              email: <bdi className="font-medium text-ink">{email}</bdi>,
            })}
          </>
        )
      }
      failure={failure}
      isPending={formState.isSubmitting}
      isDisabled={!isSamePassword(...passwords)}
      submitText={formState.isSubmitting ? t('Saving...') : t('Save password')}
      onSubmit={onSubmit}
    >
      {/* Password managers read this field to know whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields
        register={register}
        passwords={passwords}
        error={formState.errors.new_password?.message}
        controlSize="lg"
        autoFocus
      />
    </SignInCard>
  )
}

const welcome = (fullName: string): string =>
  fullName ? t('Welcome to Pegasus Ops, {fullName}', { fullName }) : t('Welcome to Pegasus Ops')
