import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { requestConfirmationLink, requestPasswordLink } from '@/lib/session/own-account.ts'
import { EmailField } from '../credential-fields.tsx'
import { useLinkMessage } from './link-messages.ts'
import { providerMessage } from '../provider-message.ts'
import { SignInCard } from '../sign-in-card.tsx'
import { focusField } from '@/lib/forms/focus-field.ts'
import { t } from '@/lib/i18n/messages.ts'

const request = z.object({ email: z.string().check(z.trim(), z.minLength(1, t('Email is required'))) })

/**
 * Functions that request a link. They need no sign-in. The response never reveals whether the account exists.
 */
const REQUESTS = { password: requestPasswordLink, confirmation: requestConfirmationLink } as const

interface AskForLinkFormProps {
  link: keyof typeof REQUESTS
  title: string
  email?: string
  onEmailChange?: (email: string) => void
  isFocused?: boolean
  /** Text about why a link is needed, for example because the last one has expired. */
  notice?: ReactNode
  ways?: ReactNode
}

export function AskForLinkForm(props: AskForLinkFormProps) {
  const { link, title, email = '', onEmailChange, isFocused = false, notice, ways } = props
  const { register, handleSubmit, formState } = useForm<z.output<typeof request>>({
    resolver: standardSchemaResolver(request),
    defaultValues: { email },
  })
  const [failure, setFailure] = useState<string | null>(null)
  const [isSent, setIsSent] = useState(false)
  const { errors, isSubmitting } = formState
  const { intro, answer } = useLinkMessage()[link]

  const onSubmit = handleSubmit(async (asked, submit) => {
    setFailure(null)
    setIsSent(false)
    try {
      await REQUESTS[link](asked.email)
      setIsSent(true)
    } catch (error) {
      setFailure(providerMessage(error, t('The link could not be requested.')))
      focusField(submit, 'email')
    }
  })

  return (
    <SignInCard
      title={title}
      intro={notice && !isSent ? null : intro}
      failure={failure}
      notice={isSent ? <AlertBox tone="success" title={answer} /> : notice}
      isPending={isSubmitting}
      submitText={isSubmitting ? t('Requesting...') : isSent ? t('Request another link') : t('Request link')}
      onSubmit={onSubmit}
      ways={ways}
    >
      <EmailField
        register={register}
        error={errors.email?.message}
        onEmailChange={onEmailChange}
        autoComplete="email"
        autoFocus={isFocused}
      />
    </SignInCard>
  )
}
