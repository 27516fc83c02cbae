import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import { emailField, fullNameField } from '@pegasus/contracts/users/users'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { ApiError, errorDetail } from '@/lib/http/api-error.ts'
import { saveOwnProfile } from '@/lib/session/own-account.ts'
import { refreshUser } from '@/lib/session/session.ts'
import { rich, t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { focusField } from '@/lib/forms/focus-field.ts'
import { roleLabel } from '@/lib/i18n/roles.ts'

const profile = z.object({ full_name: fullNameField, email: emailField })
type Profile = z.output<typeof profile>
/** The schema for a person who signs in with a wallet and has no email address yet. */
const addresslessProfile = z.extend(profile, { email: z.union([z.literal(''), emailField]) })

const pick = ({ full_name, email }: Pick<CurrentUser, 'full_name' | 'email'>): Profile => ({
  full_name,
  email,
})

const isProfileField = (path: string): path is keyof Profile => path === 'full_name' || path === 'email'

/** Changes the name and email of the signed-in person. Username and role are read-only here. */
export function ProfileForm({ user }: { user: CurrentUser }) {
  const hasEmail = user.email !== ''
  const { register, handleSubmit, formState, reset, setError } = useForm<Profile>({
    resolver: standardSchemaResolver(hasEmail ? profile : addresslessProfile),
    defaultValues: pick(user),
  })
  const [failure, setFailure] = useState<string | null>(null)
  // With a hosted project, only the answer to the change contains the address that waits.
  const [savedEmail, setSavedEmail] = useState<string | null>(null)
  const newEmail = user.new_email ?? savedEmail
  // react-hook-form tracks the dirty fields only if a render reads them.
  const { errors, isSubmitting, dirtyFields: _ } = formState

  const onSubmit = handleSubmit(async ({ full_name, email }, submit) => {
    setFailure(null)
    try {
      const body = { full_name, ...(email !== '' && { email }) }
      const saved = await saveOwnProfile(body, user.revision)
      reset(pick(saved))
      setSavedEmail(saved.new_email)
      toast({ title: t('Profile updated successfully!') })
    } catch (error) {
      setFailure(errorDetail(error, t('Failed to update profile')))
      if (!(error instanceof ApiError)) return
      if (error.code === 'email_taken') focusField(submit, 'email')
      await repair(error)
    }
  })

  async function repair({ status, errors: broken }: ApiError): Promise<void> {
    for (const { path, message } of broken) if (isProfileField(path)) setError(path, { message })
    // Another window may have saved in the meantime. The next attempt then starts from the saved values and
    // keeps the typed ones.
    const now = status === 412 ? await refreshUser() : null
    if (now) reset(pick(now), { keepDirtyValues: true })
  }

  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-3.5">
      {failure ? <AlertBox title={failure} /> : null}
      <Field label={t('Full Name')} error={errors.full_name && serverText(errors.full_name.message ?? '')}>
        <Input {...register('full_name')} dir="auto" autoComplete="name" />
      </Field>
      <Field
        label={t('Email')}
        isRequired={hasEmail && !user.sso_managed}
        error={errors.email && serverText(errors.email.message ?? '')}
        hint={user.sso_managed ? t('Set by your company') : undefined}
      >
        <Input {...register('email')} type="email" autoComplete="email" readOnly={user.sso_managed} />
      </Field>
      {newEmail && newEmail !== user.email ? <PendingEmail email={user.email} newEmail={newEmail} /> : null}
      <div className="grid gap-3.5 sm:grid-cols-2">
        <Field label={t('Username')} hint={t('Cannot be changed')}>
          <Input value={user.username} readOnly />
        </Field>
        <Field label={t('Role')} hint={t('Only administrators change roles')}>
          <Input value={roleLabel(user.role)} readOnly />
        </Field>
      </div>
      <Button
        type="submit"
        variant="primary"
        isPending={isSubmitting}
        className="mt-1 self-start phone:self-stretch"
      >
        {isSubmitting ? t('Updating Profile...') : t('Update Profile')}
      </Button>
    </form>
  )
}

const PendingEmail = ({ email, newEmail }: { email: string; newEmail: string }) => (
  <AlertBox
    tone="note"
    title={<>{rich('{newEmail} waits for confirmation', { newEmail: <bdi>{newEmail}</bdi> })}</>}
  >
    {rich('Open the link in the email that we sent there. Until then {email} stays your address.', {
      email: <bdi>{email}</bdi>,
    })}
  </AlertBox>
)
