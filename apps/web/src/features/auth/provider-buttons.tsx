import type { ClientConfig } from '@pegasus/contracts/client-config'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { rememberProviderVisit } from '@/lib/session/provider-visit.ts'

interface ProviderButtonsProps {
  providers: ClientConfig['sign_in_providers']
  /** The sign-in page with the requested page, to which the provider sends the browser back. */
  backTo: string
}

const addressOf = (provider: string, backTo: string): string =>
  `/auth/v1/authorize?${new URLSearchParams({ provider, redirect_to: new URL(backTo, location.origin).href })}`

/** Links to the providers that people may sign in through. */
export const ProviderButtons = ({ providers, backTo }: ProviderButtonsProps) => (
  <nav aria-label="Other ways to sign in" className="flex flex-col gap-2.5">
    <p className="flex items-center gap-3 text-label text-ink-2 before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      or
    </p>
    {providers.map(({ name, label }) => (
      <a
        key={name}
        href={addressOf(name, backTo)}
        onClick={rememberProviderVisit}
        className={buttonClass({ size: 'lg' })}
      >
        Continue with {label}
      </a>
    ))}
  </nav>
)
