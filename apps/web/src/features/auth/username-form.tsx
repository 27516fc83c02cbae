import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { loginBody } from '@pegasus/contracts/auth/sign-in'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useSearchParams } from 'react-router'
import type * as z from 'zod/mini'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PasswordInput } from '@/components/ui/forms/password-input.tsx'
import { ApiError, errorDetail } from '@/lib/http/api-error.ts'
import { CONFIRM_EMAIL_PATH } from '@/lib/session/mail/mail-link.ts'
import { signInWithUsername } from '@/lib/session/session.ts'
import { SessionEnded } from './session-ended.tsx'
import { SignInCard } from './sign-in-card.tsx'
import { WayLink, Ways } from './auth-footer-links.tsx'
import { focusField } from '@/lib/forms/focus-field.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

export function UsernameForm() {
  const { register, handleSubmit, formState } = useForm<z.output<typeof loginBody>>({
    resolver: standardSchemaResolver(loginBody),
    defaultValues: { username: '', password: '' },
  })
  const [failure, setFailure] = useState<ReactNode>(null)
  const [search] = useSearchParams()
  const { errors, isSubmitting } = formState

  const onSubmit = handleSubmit(async (credentials, submit) => {
    setFailure(null)
    try {
      await signInWithUsername(credentials)
    } catch (error) {
      const message = errorDetail(error, t('Login failed'))
      const isUnconfirmed = error instanceof ApiError && error.code === 'email_not_confirmed'
      setFailure(isUnconfirmed ? <AskForLink message={message} /> : message)
      focusField(submit, 'password')
    }
  })

  return (
    <SignInCard
      title={t('Sign In')}
      notice={<SessionEnded />}
      failure={failure}
      isPending={isSubmitting}
      submitText={isSubmitting ? t('Signing In...') : t('Sign In')}
      onSubmit={onSubmit}
      ways={
        <Ways>
          <WayLink to={forgotPasswordAddress(search)}>{t('Forgot password?')}</WayLink>
        </Ways>
      }
    >
      <Field
        label={t('Username')}
        isRequired
        error={errors.username && serverText(errors.username.message ?? '')}
      >
        <Input
          {...register('username')}
          controlSize="lg"
          placeholder={t('Enter your username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field
        label={t('Password')}
        isRequired
        error={errors.password && serverText(errors.password.message ?? '')}
      >
        <PasswordInput
          {...register('password')}
          controlSize="lg"
          placeholder={t('Enter your password')}
          autoComplete="current-password"
        />
      </Field>
    </SignInCard>
  )
}

/**
 * Returns the address of the email screen, because the link for a new password is sent to an email address. It keeps
 * the requested page.
 */
function forgotPasswordAddress(search: URLSearchParams): string {
  const asked = new URLSearchParams(search)
  asked.set('view', 'forgot-password')
  return `/login?${asked}`
}

/**
 * Links to the page that requests a confirmation link. The request needs an email address, and this form has
 * only a username.
 */
const AskForLink = ({ message }: { message: string }) => (
  <AlertBox title={message}>
    <Link to={CONFIRM_EMAIL_PATH} className="underline underline-offset-3">
      {t('Request another link')}
    </Link>
  </AlertBox>
)
