import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { AlertBox } from '@/components/ui/alert-box.tsx'
import { Field } from '@/components/ui/field.tsx'
import { Input } from '@/components/ui/input.tsx'
import { requestConfirmationLink, requestPasswordLink } from '@/lib/own-account.ts'
import { providerMessage } from './provider-message.ts'
import { SignInCard } from './sign-in-card.tsx'

const request = z.object({ email: z.string().check(z.trim(), z.minLength(1, 'Email is required')) })

/** The links that anybody can have sent; the answer never says whether there is such an account. */
const LINKS = {
  password: {
    send: requestPasswordLink,
    intro: 'We send you a link that lets you choose a new one. It works once, within the hour.',
    answer: 'If an account with this address exists, a mail is on its way.',
  },
  confirmation: {
    send: requestConfirmationLink,
    intro: 'We send you a link that confirms your email address. It works once, within a day.',
    answer: 'If an account with this address waits for confirmation, a mail is on its way.',
  },
} as const

interface AskForLinkFormProps {
  link: keyof typeof LINKS
  title: string
  email?: string
  onEmailChange?: (email: string) => void
  isFocused?: boolean
  /** Why somebody has to ask, such as a link that has expired. */
  notice?: ReactNode
  ways?: ReactNode
}

export function AskForLinkForm(props: AskForLinkFormProps) {
  const { link, title, email = '', onEmailChange, isFocused = false, notice, ways } = props
  const { register, handleSubmit, formState, setFocus } = useForm<z.output<typeof request>>({
    resolver: standardSchemaResolver(request),
    defaultValues: { email },
  })
  const [failure, setFailure] = useState<string | null>(null)
  const [isSent, setIsSent] = useState(false)
  const { errors, isSubmitting } = formState
  const { send, intro, answer } = LINKS[link]

  const onSubmit = handleSubmit(async (asked) => {
    setFailure(null)
    setIsSent(false)
    try {
      await send(asked.email)
      setIsSent(true)
    } catch (error) {
      setFailure(providerMessage(error, 'The mail could not be sent.'))
      setFocus('email', { shouldSelect: true })
    }
  })

  return (
    <SignInCard
      title={title}
      intro={notice && !isSent ? null : intro}
      failure={failure}
      notice={isSent ? <AlertBox tone="success" title={answer} /> : notice}
      isPending={isSubmitting}
      submitText={isSubmitting ? 'Sending...' : isSent ? 'Send another link' : 'Send link'}
      onSubmit={onSubmit}
      ways={ways}
    >
      <Field label="Email" isRequired error={errors.email?.message}>
        <Input
          {...register('email', { onChange: (event) => onEmailChange?.(event.target.value) })}
          controlSize="lg"
          type="email"
          placeholder="Enter your email"
          autoComplete="email"
          autoFocus={isFocused}
        />
      </Field>
    </SignInCard>
  )
}
