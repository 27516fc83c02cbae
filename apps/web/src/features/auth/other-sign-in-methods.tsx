import type { ClientConfig } from '@pegasus/contracts/client-config'
import { rememberProviderVisit } from '@/lib/session/provider-visit.ts'
import { MessageSquareText } from 'lucide-react'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { PasskeyButton } from './passkeys/passkey-button.tsx'
import { SsoForm } from './sso-form.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface OtherSignInMethodsProps {
  /** True if this browser supports passkeys. */
  hasPasskeys: boolean
  /** True if people can sign in through the SAML provider of their company. */
  hasSso: boolean
  /** Opens the form for a code by text message; null if phones cannot sign in. */
  onPhone: (() => void) | null
  providers: ClientConfig['sign_in_providers']
  /** URL of the sign-in page that contains the requested page. The provider sends the browser back to it. */
  backTo: string
}

const addressOf = (provider: string, backTo: string): string =>
  `/auth/v1/authorize?${new URLSearchParams({ provider, redirect_to: new URL(backTo, location.origin).href })}`

/** Buttons for the sign-in methods that need no password of the account. */
export const OtherSignInMethods = ({
  hasPasskeys,
  hasSso,
  onPhone,
  providers,
  backTo,
}: OtherSignInMethodsProps) => (
  <nav aria-label={t('Other ways to sign in')} className="flex flex-col gap-2.5">
    <p className="flex items-center gap-3 text-label text-ink-2 before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      {t('or')}
    </p>
    {hasPasskeys ? <PasskeyButton /> : null}
    {onPhone ? (
      <Button size="lg" icon={<MessageSquareText {...ICON} />} onClick={onPhone}>
        {t('Sign in with a text message')}
      </Button>
    ) : null}
    {providers.map(({ name, label }) => (
      <a
        key={name}
        href={addressOf(name, backTo)}
        onClick={rememberProviderVisit}
        className={buttonClass({ size: 'lg' })}
      >
        {t('Continue with {label}', { label })}
      </a>
    ))}
    {hasSso ? <SsoForm backTo={backTo} /> : null}
  </nav>
)
