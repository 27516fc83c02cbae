import type { ErrorCode } from '@pegasus/contracts/errors'
import { isSamePassword, passwordChangeError } from '@pegasus/contracts/auth/password-rules'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { PasswordInput } from '@/components/ui/forms/password-input.tsx'
import { ApiError } from '@/lib/http/api-error.ts'
import { saveOwnPassword } from '@/lib/session/own-account.ts'
import { signOut, useCurrentUser } from '@/lib/session/session.ts'
import { NEW_PASSWORD_FIELDS, NewPasswordFields, NO_PASSWORDS } from './credential-fields.tsx'
import { describePasswordChangeError } from './password-change-error.ts'
import { errorText } from './error-text.ts'
import { focusField } from '@/lib/forms/focus-field.ts'
import { t } from '@/lib/i18n/messages.ts'

const LOGOUT_NOTICE_AFTER_MS = 3000
const LOGOUT_AFTER_NOTICE_MS = 1500

type Step = { name: 'form'; failure: string | null } | { name: 'changed' } | { name: 'leaving' }

const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs))

/** The steps of the form. After `changed`, the session is about to end. */
export type PasswordStep = 'typing' | 'sending' | 'changed'

interface PasswordFormProps {
  /** True if the first field gets the focus. */
  isFocused: boolean
  onStep: (step: PasswordStep) => void
}

const EMPTY = { current_password: '', ...NO_PASSWORDS }

/**
 * Changes the person's own password. The form then says that the person must sign in again, ends the session, and
 * restarts the app at `/`.
 */
export function PasswordForm({ isFocused, onStep }: PasswordFormProps) {
  const { username } = useCurrentUser()
  const { register, handleSubmit, watch, formState } = useForm({ defaultValues: EMPTY })
  const [step, setStep] = useState<Step>({ name: 'form', failure: null })
  const passwords = watch(NEW_PASSWORD_FIELDS)

  const onSubmit = handleSubmit(async (change, submit) => {
    const broken = passwordChangeError(change)
    const refuse = (failure: string, field: keyof typeof EMPTY) => {
      setStep({ name: 'form', failure })
      focusField(submit, field)
    }
    if (broken) return refuse(describeRule(errorText(broken)), fieldOf(broken))
    setStep({ name: 'form', failure: null })
    onStep('sending')
    try {
      await saveOwnPassword(change)
    } catch (error) {
      onStep('typing')
      const isRule = error instanceof ApiError && error.status === 400
      return refuse(describePasswordChangeError(error), isRule ? 'new_password' : 'current_password')
    }
    onStep('changed')
    setStep({ name: 'changed' })
    void leave()
  })

  async function leave(): Promise<void> {
    await pause(LOGOUT_NOTICE_AFTER_MS)
    setStep({ name: 'leaving' })
    await pause(LOGOUT_AFTER_NOTICE_MS)
    await signOut()
    location.assign('/')
  }

  if (step.name !== 'form') {
    return (
      <div className="flex flex-col gap-3">
        <AlertBox tone="success" title={t('Password changed successfully!')}>
          {t('Sign in with the new password from now on.')}
        </AlertBox>
        <p role="status" className="text-ink-2">
          {step.name === 'leaving' ? t('Logging out to apply password change...') : null}
        </p>
      </div>
    )
  }
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-3.5">
      {step.failure ? <AlertBox title={step.failure} /> : null}
      {/* Password managers read this field to know whose password it is. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <Field label={t('Current Password')} isRequired>
        <PasswordInput
          {...register('current_password')}
          autoFocus={isFocused}
          toggle={{ show: t('Show current password'), hide: t('Hide current password') }}
          autoComplete="current-password"
        />
      </Field>
      <NewPasswordFields register={register} passwords={passwords} />
      <Button
        type="submit"
        variant="primary"
        disabled={!isSamePassword(...passwords)}
        isPending={formState.isSubmitting}
        className="mt-1 self-start phone:self-stretch"
      >
        {formState.isSubmitting ? t('Changing Password...') : t('Change Password')}
      </Button>
    </form>
  )
}

/** Returns the field in which the person can satisfy a broken rule. */
const fieldOf = (broken: ErrorCode): keyof typeof EMPTY =>
  broken === 'CURRENT_PASSWORD_REQUIRED'
    ? 'current_password'
    : broken === 'NEW_PASSWORD_MISMATCH'
      ? 'confirm_password'
      : 'new_password'

/**
 * Returns the message for a rule that the form checks before sending. It is the same as the message for the server's
 * error.
 */
const describeRule = (message: string): string => t('Password Change Error: {message}', { message })
