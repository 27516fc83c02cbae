import { Building2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { providerCode, providerMessage } from './provider-message.ts'
import { t } from '@/lib/i18n/messages.ts'

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['sso_provider_not_found', t('No company with this address signs in here.')],
  ['sso_provider_disabled', t('The sign-in of this company is switched off.')],
])

const describe = (error: unknown): string =>
  SENTENCES.get(providerCode(error) ?? '') ??
  providerMessage(error, t('This did not work. Please try again.'))

/** Asks for a work email or domain, and sends the browser to the company's SAML provider. */
export function SsoForm({ backTo }: { backTo: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const [address, setAddress] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)

  if (!isOpen)
    return (
      <Button size="lg" icon={<Building2 {...ICON} />} onClick={() => setIsOpen(true)}>
        {t('Sign in with SSO')}
      </Button>
    )

  async function handleSubmit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (address.trim() === '') return setFailure(t('Enter your work address or the domain of your company'))
    setFailure(null)
    setIsPending(true)
    try {
      const { goToCompany } = await import('@/lib/session/sso.ts')
      await goToCompany(address, backTo)
    } catch (error) {
      setFailure(describe(error))
      setIsPending(false)
    }
  }

  return (
    <form
      noValidate
      aria-label={t('Sign in with SSO')}
      onSubmit={(event) => void handleSubmit(event)}
      className="flex flex-col gap-2.5"
    >
      <Field
        label={t('Work email or domain')}
        error={failure ?? undefined}
        hint={t('Your company asks you to sign in there.')}
      >
        <Input
          value={address}
          onChange={(event) => {
            setAddress(event.target.value)
            setFailure(null)
          }}
          inputMode="email"
          autoCapitalize="none"
          autoComplete="email"
          placeholder="you@company.com"
          autoFocus
        />
      </Field>
      <Button type="submit" size="lg" icon={<Building2 {...ICON} />} isPending={isPending}>
        {t('Continue with SSO')}
      </Button>
    </form>
  )
}
