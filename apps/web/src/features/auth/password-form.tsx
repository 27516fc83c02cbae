import { changePassword, PASSWORD_MIN_LENGTH } from '@pegasus/contracts/auth'
import { errorEntry } from '@pegasus/contracts/errors'
import { passwordChangeError } from '@pegasus/contracts/passwords'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { AlertBox } from '@/components/ui/alert-box.tsx'
import { Button } from '@/components/ui/button.tsx'
import { Field } from '@/components/ui/field.tsx'
import { PasswordInput } from '@/components/ui/password-input.tsx'
import { callApi } from '@/lib/api.ts'
import { signOut } from '@/lib/session.ts'
import { describePasswordChangeError } from './password-change-error.ts'

const LOGOUT_NOTICE_AFTER_MS = 3000
const LOGOUT_AFTER_NOTICE_MS = 1500

type Step = { name: 'form'; failure: string | null } | { name: 'changed' } | { name: 'leaving' }

const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs))

interface PasswordFormProps {
  /** Whether the first field takes the focus. */
  isFocused: boolean
  onChanged: () => void
}

/** After a change everybody signs in anew: it is said, the session ends, and the app starts over at `/`. */
export function PasswordForm({ isFocused, onChanged }: PasswordFormProps) {
  const { register, handleSubmit, watch, formState, setFocus } = useForm({
    defaultValues: { current_password: '', new_password: '', confirm_password: '' },
  })
  const [step, setStep] = useState<Step>({ name: 'form', failure: null })
  const [next, confirmation] = watch(['new_password', 'confirm_password'])
  const isMismatch = next !== confirmation

  const onSubmit = handleSubmit(async (change) => {
    const broken = passwordChangeError(change)
    if (broken) {
      setStep({ name: 'form', failure: describeRule(errorEntry(broken).message) })
      return
    }
    setStep({ name: 'form', failure: null })
    try {
      await callApi(changePassword, { body: change })
    } catch (error) {
      setStep({ name: 'form', failure: describePasswordChangeError(error) })
      setFocus('current_password', { shouldSelect: true })
      return
    }
    onChanged()
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
        <AlertBox tone="success" title="Password changed successfully!">
          Sign in with the new password from now on.
        </AlertBox>
        <p role="status" className="text-ink-2">
          {step.name === 'leaving' ? 'Logging out to apply password change...' : null}
        </p>
      </div>
    )
  }
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-3.5">
      {step.failure ? <AlertBox title={step.failure} /> : null}
      <Field label="Current Password" isRequired>
        <PasswordInput
          {...register('current_password')}
          autoFocus={isFocused}
          toggleName="current password"
          autoComplete="current-password"
        />
      </Field>
      <Field label="New Password" isRequired hint={`At least ${PASSWORD_MIN_LENGTH} characters`}>
        <PasswordInput {...register('new_password')} toggleName="new password" autoComplete="new-password" />
      </Field>
      <Field
        label="Confirm New Password"
        isRequired
        error={isMismatch && confirmation !== '' ? 'Passwords do not match' : null}
      >
        <PasswordInput
          {...register('confirm_password')}
          toggleName="confirmation"
          autoComplete="new-password"
        />
      </Field>
      <Button
        type="submit"
        variant="primary"
        disabled={isMismatch}
        isPending={formState.isSubmitting}
        className="mt-1 self-start phone:self-stretch"
      >
        {formState.isSubmitting ? 'Changing Password...' : 'Change Password'}
      </Button>
    </form>
  )
}

/** A rule that is broken before anything is sent reads like the server's answer to it. */
const describeRule = (message: string): string => `Password Change Error: ${message}`
