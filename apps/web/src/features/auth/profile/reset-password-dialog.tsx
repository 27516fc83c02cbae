import { type CurrentUser } from '@pegasus/contracts/auth/sign-in'
import { adminResetPassword } from '@pegasus/contracts/auth/passwords'
import type { ErrorCode } from '@pegasus/contracts/errors'
import { isSamePassword, passwordResetError } from '@pegasus/contracts/auth/password-rules'
import { hasRole, isAdmin } from '@pegasus/contracts/roles'
import type { User } from '@pegasus/contracts/users/users'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { NEW_PASSWORD_FIELDS, NewPasswordFields, NO_PASSWORDS } from '../credential-fields.tsx'
import { AccountSelect } from './account-select.tsx'
import { describeResetError, describeResetRule } from './reset-error.ts'
import { errorText } from '../error-text.ts'
import { focusField } from '@/lib/forms/focus-field.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Sets another person's password. The administrator then gives it to the person. */
export function ResetPasswordDialog({ actor, onClose }: { actor: CurrentUser; onClose: () => void }) {
  const { register, handleSubmit, watch, formState } = useForm({
    defaultValues: NO_PASSWORDS,
  })
  const [person, setPerson] = useState<User | null>(null)
  const [broken, setBroken] = useState<ErrorCode | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const passwords = watch(NEW_PASSWORD_FIELDS)

  const onSubmit = handleSubmit(async (passwords, submit) => {
    const body = { user_id: person?.id ?? null, ...passwords }
    const rule = passwordResetError(body)
    setBroken(rule)
    setFailure(rule && describeResetRule(errorText(rule)))
    if (rule) return
    try {
      await callApi(adminResetPassword, { body })
      onClose()
      toast({
        title: t('Password reset successfully! Give the new password to {full_name}.', {
          full_name: person?.full_name || person?.username,
        }),
      })
    } catch (error) {
      setFailure(describeResetError(error))
      focusField(submit, 'new_password')
    }
  })

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('Reset User Password')}
      description={t(
        'For somebody who cannot sign in. All their sessions end at once, and their passkeys are removed. You have to tell them the new password.',
      )}
      onSubmit={() => void onSubmit()}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={!isSamePassword(...passwords)}
            isPending={formState.isSubmitting}
          >
            {formState.isSubmitting ? t('Resetting...') : t('Reset Password')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3.5">
        {failure ? <AlertBox title={failure} /> : null}
        <AccountSelect
          label={t('User')}
          value={person}
          onChange={(chosen) => {
            setPerson(chosen)
            setBroken(null)
          }}
          reasonAgainst={(user) => reasonAgainst(user, actor)}
          isInvalid={broken === 'RESET_USER_REQUIRED'}
        />
        <NewPasswordFields register={register} passwords={passwords} />
      </div>
    </Dialog>
  )
}

/**
 * Returns the reason why the password of an account cannot be reset; null if it can. The server would refuse
 * such a reset, so the list shows the reason in advance.
 */
function reasonAgainst(user: User, actor: CurrentUser): string | null {
  if (user.id === actor.id) return t('You: use the Password tab')
  if (isAdmin(user.role) && !hasRole(actor.role, 'owner')) return t('Only an owner can reset this account')
  return null
}
