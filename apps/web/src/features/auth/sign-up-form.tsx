import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { passwordLengthError } from '@pegasus/contracts/auth/password-rules'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { signUp } from '@/lib/session/own-account.ts'
import { CredentialFields } from './credential-fields.tsx'
import type { EmailFormProps } from './email-form.tsx'
import { providerMessage, weakPasswordAdvice } from './provider-message.ts'
import { SignInCard } from './sign-in-card.tsx'
import { focusField } from '@/lib/forms/focus-field.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const newAccount = z.object({
  email: z.string().check(z.trim(), z.minLength(1, t('Email is required'))),
  password: z.string().check(
    z.superRefine((password, context) => {
      const message = password === '' ? t('Password is required') : passwordLengthError(password)
      if (message) context.addIssue({ code: 'custom', message: serverText(message) })
    }),
  ),
})

interface SignUpFormProps extends EmailFormProps {
  /** Called when the account is created but cannot be used yet. */
  onCreated: () => void
}

export function SignUpForm({ email, onEmailChange, isFocused, ways, onCreated }: SignUpFormProps) {
  const { register, handleSubmit, formState, setError } = useForm<z.output<typeof newAccount>>({
    resolver: standardSchemaResolver(newAccount),
    defaultValues: { email, password: '' },
  })
  const [failure, setFailure] = useState<string | null>(null)
  const { errors, isSubmitting } = formState

  const onSubmit = handleSubmit(async (credentials, submit) => {
    setFailure(null)
    try {
      const outcome = await signUp(credentials)
      if (outcome === 'waiting') onCreated()
    } catch (error) {
      setFailure(providerMessage(error, t('Sign-up failed')))
      const advice = weakPasswordAdvice(error)
      if (advice) setError('password', { message: advice })
      focusField(submit, advice ? 'password' : 'email')
    }
  })

  return (
    <SignInCard
      title={t('Create Ops Account')}
      failure={failure}
      isPending={isSubmitting}
      submitText={isSubmitting ? t('Creating Account...') : t('Create Account')}
      onSubmit={onSubmit}
      ways={ways}
    >
      <CredentialFields {...{ register, errors, email, onEmailChange, isFocused }} isNew />
    </SignInCard>
  )
}
