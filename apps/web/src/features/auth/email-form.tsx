import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { Field } from '@/components/ui/field.tsx'
import { Input } from '@/components/ui/input.tsx'
import { PasswordInput } from '@/components/ui/password-input.tsx'
import { signInWithEmail } from '@/lib/session.ts'
import { SignInCard } from './sign-in-card.tsx'

const emailCredentials = z.object({
  email: z.string().check(z.trim(), z.minLength(1, 'Email is required')),
  password: z.string().check(z.minLength(1, 'Password is required')),
})

type EmailCredentials = z.output<typeof emailCredentials>

export function EmailForm() {
  const { register, handleSubmit, formState, setFocus } = useForm<EmailCredentials>({
    resolver: standardSchemaResolver(emailCredentials),
    defaultValues: { email: '', password: '' },
  })
  const [failure, setFailure] = useState<string | null>(null)
  const { errors, isSubmitting } = formState

  const onSubmit = handleSubmit(async (credentials) => {
    setFailure(null)
    try {
      await signInWithEmail(credentials)
    } catch (error) {
      setFailure((error instanceof Error && error.message) || 'Login failed')
      setFocus('password', { shouldSelect: true })
    }
  })

  return (
    <SignInCard
      title="Ops Login"
      failure={failure}
      isPending={isSubmitting}
      submitText={isSubmitting ? 'Signing in...' : 'Sign In'}
      onSubmit={onSubmit}
    >
      <Field label="Email" isRequired error={errors.email?.message}>
        <Input
          {...register('email')}
          controlSize="lg"
          type="email"
          placeholder="Enter your email"
          autoComplete="username"
        />
      </Field>
      <Field label="Password" isRequired error={errors.password?.message}>
        <PasswordInput
          {...register('password')}
          controlSize="lg"
          placeholder="Enter your password"
          autoComplete="current-password"
        />
      </Field>
    </SignInCard>
  )
}
