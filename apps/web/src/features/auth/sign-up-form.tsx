import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { PASSWORD_MIN_LENGTH } from '@pegasus/contracts/auth/sign-in'
import { passwordLengthError } from '@pegasus/contracts/auth/password-rules'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PasswordInput } from '@/components/ui/forms/password-input.tsx'
import { signUp } from '@/lib/session/own-account.ts'
import type { EmailFormProps } from './email-form.tsx'
import { providerMessage, weakPasswordAdvice } from './provider-message.ts'
import { SignInCard } from './sign-in-card.tsx'

const newAccount = z.object({
  email: z.string().check(z.trim(), z.minLength(1, 'Email is required')),
  password: z.string().check(
    z.superRefine((password, context) => {
      const message = password === '' ? 'Password is required' : passwordLengthError(password)
      if (message) context.addIssue({ code: 'custom', message })
    }),
  ),
})

interface SignUpFormProps extends EmailFormProps {
  /** The account is made, and cannot be used yet. */
  onCreated: () => void
}

export function SignUpForm({ email, onEmailChange, isFocused, ways, onCreated }: SignUpFormProps) {
  const { register, handleSubmit, formState, setFocus, setError } = useForm<z.output<typeof newAccount>>({
    resolver: standardSchemaResolver(newAccount),
    defaultValues: { email, password: '' },
  })
  const [failure, setFailure] = useState<string | null>(null)
  const { errors, isSubmitting } = formState

  const onSubmit = handleSubmit(async (credentials) => {
    setFailure(null)
    try {
      const outcome = await signUp(credentials)
      if (outcome === 'waiting') onCreated()
    } catch (error) {
      setFailure(providerMessage(error, 'Sign-up failed'))
      const advice = weakPasswordAdvice(error)
      if (advice) setError('password', { message: advice })
      setFocus(advice ? 'password' : 'email', { shouldSelect: true })
    }
  })

  return (
    <SignInCard
      title="Create Ops Account"
      failure={failure}
      isPending={isSubmitting}
      submitText={isSubmitting ? 'Creating Account...' : 'Create Account'}
      onSubmit={onSubmit}
      ways={ways}
    >
      <Field label="Email" isRequired error={errors.email?.message}>
        <Input
          {...register('email', { onChange: (event) => onEmailChange(event.target.value) })}
          controlSize="lg"
          type="email"
          placeholder="Enter your email"
          autoComplete="email"
          autoFocus={isFocused && email === ''}
        />
      </Field>
      <Field
        label="Password"
        isRequired
        hint={`At least ${PASSWORD_MIN_LENGTH} characters`}
        error={errors.password?.message}
      >
        <PasswordInput
          {...register('password')}
          controlSize="lg"
          placeholder="Choose a password"
          autoComplete="new-password"
          autoFocus={isFocused && email !== ''}
        />
      </Field>
    </SignInCard>
  )
}
