import { reauthenticate } from '@pegasus/contracts/auth/sign-in'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { CodeInput } from '@/components/ui/forms/code-input.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { PasswordInput } from '@/components/ui/forms/password-input.tsx'
import { callApi } from '@/lib/http/api.ts'
import { ApiError } from '@/lib/http/api-error.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { signOutAfterAsking } from '@/lib/session/sign-out.ts'
import { useConfig, useProjectUrl } from '@/lib/http/config.ts'
import { proveByProjectPassword } from '@/lib/session/project-account.ts'
import { isApp, isKey, proveByCode } from '@/lib/session/factors/second-factor.ts'
import { canUseKeys } from '@/lib/browser/can-use-keys.ts'
import { proveBySecurityKey } from '@/lib/session/factors/security-keys.ts'
import { factorsQuery } from './profile/security.queries.ts'
import { providerMessage } from './provider-message.ts'
import { describeKeyError } from './second-factor/code-message.ts'
import { useCode } from './second-factor/use-code.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Asks for a code if the account has an authenticator app, otherwise for the password. A security key is accepted too.
 * An account that has none of these must sign in again. With a hosted project, the project checks the code or the
 * password; an account with a second factor cannot use its password there, because that would open a session without
 * the second step.
 */
export function ConfirmIdentityDialog({ onAnswer }: { onAnswer: (isProven: boolean) => void }) {
  // oxlint-disable-next-line typescript/no-useless-default-assignment -- during an update, an older server leaves it out
  const { username, second_factor: hasSecondFactor, has_password: hasOwnPassword = true } = useCurrentUser()
  const isInProject = useProjectUrl() !== null
  const hasPassword = isInProject ? !hasSecondFactor : hasOwnPassword
  const config = useConfig()
  const rpId = isInProject ? null : config?.webauthn_rp_id
  const { data: { authenticators } = { authenticators: null } } = useQuery({
    ...factorsQuery,
    enabled: hasSecondFactor,
  })
  const [chosen, setChosen] = useState<'code' | 'password' | null>(null)
  // Most second factors are apps, so the dialog asks for a code until the second factors are known.
  const hasApp = hasSecondFactor && (authenticators?.some(isApp) ?? true)
  const app = authenticators?.find(isApp)
  const key = authenticators?.find(isKey)
  const isByCode = hasApp && chosen !== 'password'
  const hasSecret = hasApp || hasPassword
  const proveByKey = useMutation({
    mutationFn: () => proveBySecurityKey(key?.id ?? '', rpId ?? ''),
    onSuccess: () => onAnswer(true),
  })
  const secret = useCode({
    onCheck: async (given) => {
      if (!isInProject)
        await callApi(reauthenticate, { body: isByCode ? { code: given } : { password: given } })
      else if (isByCode) await proveByCode(app?.id ?? '', given)
      else await proveByProjectPassword(given)
      onAnswer(true)
    },
    describeError: (error) =>
      error instanceof ApiError
        ? error.message
        : providerMessage(error, t('This could not be checked. Please try again.')),
    incomplete: isByCode ? t('Enter all six digits of the code.') : t('Password is required'),
    minLength: isByCode ? 6 : 1,
  })
  const { onChange, onComplete, ...field } = secret.field

  function switchWay(): void {
    setChosen(isByCode ? 'password' : 'code')
    secret.reset()
  }

  return (
    <Dialog
      isOpen
      onClose={() => onAnswer(false)}
      title={t("Confirm it's you")}
      description={t('You signed in a while ago, and this is a sensitive change.')}
      size="sm"
      {...(hasSecret && { onSubmit: secret.submit })}
      footer={
        <>
          <Button onClick={() => onAnswer(false)}>{t('Cancel')}</Button>
          {hasSecret ? (
            <Button type="submit" variant="primary" isPending={secret.isPending}>
              {secret.isPending ? t('Checking...') : t('Confirm')}
            </Button>
          ) : (
            <Button variant="primary" onClick={() => void signOutAfterAsking()}>
              {t('Sign out')}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3.5">
        {secret.failure ? <AlertBox title={secret.failure} /> : null}
        {proveByKey.error ? <AlertBox title={describeKeyError(proveByKey.error)} /> : null}
        {/* Password managers read this field to know whose password it is. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        {hasSecret ? null : (
          <p>
            {t(
              'Your account has no password. Sign out and sign in again. Then make the change within 15 minutes.',
            )}
          </p>
        )}
        {isByCode ? (
          <Field key="code" label={t('Code')} isRequired hint={t('From your authenticator app')}>
            <CodeInput {...field} onChange={onChange} onComplete={onComplete} autoFocus />
          </Field>
        ) : hasPassword ? (
          <Field key="password" label={t('Password')} isRequired>
            <PasswordInput
              {...field}
              onChange={(event) => onChange(event.target.value)}
              autoComplete="current-password"
              autoFocus
            />
          </Field>
        ) : null}
        {key && canUseKeys(rpId) ? (
          <Button isPending={proveByKey.isPending} onClick={() => proveByKey.mutate()}>
            {t('Use your passkey or security key')}
          </Button>
        ) : null}
        {hasApp && hasPassword ? (
          <Button
            variant="ghost"
            size="sm"
            className="-ms-[9px] self-start underline!"
            disabled={secret.isPending}
            onClick={switchWay}
          >
            {isByCode ? t('Use your password instead') : t('Use a code instead')}
          </Button>
        ) : null}
      </div>
    </Dialog>
  )
}
