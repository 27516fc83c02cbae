import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { loginBody } from '@pegasus/contracts/auth'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { Field } from '@/components/ui/field.tsx'
import { Input } from '@/components/ui/input.tsx'
import { PasswordInput } from '@/components/ui/password-input.tsx'
import { errorDetail } from '@/lib/api-error.ts'
import { signInWithUsername } from '@/lib/session.ts'
import { SignInCard } from './sign-in-card.tsx'

export function UsernameForm() {
  const { register, handleSubmit, formState, setFocus } = useForm<z.output<typeof loginBody>>({
    resolver: standardSchemaResolver(loginBody),
    defaultValues: { username: '', password: '' },
  })
  const [failure, setFailure] = useState<string | null>(null)
  const { errors, isSubmitting } = formState

  const onSubmit = handleSubmit(async (credentials) => {
    setFailure(null)
    try {
      await signInWithUsername(credentials)
    } catch (error) {
      setFailure(errorDetail(error, 'Login failed'))
      setFocus('password', { shouldSelect: true })
    }
  })

  return (
    <SignInCard
      title="Sign In"
      failure={failure}
      isPending={isSubmitting}
      submitText={isSubmitting ? 'Signing In...' : 'Sign In'}
      onSubmit={onSubmit}
    >
      <Field label="Username" isRequired error={errors.username?.message}>
        <Input
          {...register('username')}
          controlSize="lg"
          placeholder="Enter your username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
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
