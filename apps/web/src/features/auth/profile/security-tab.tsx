import { useConfig } from '@/lib/http/config.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { SecondFactorSection } from '../second-factor/second-factor-section.tsx'
import { PasskeysSection } from '../passkeys/passkeys-section.tsx'
import { IdentitiesSection } from './identities-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** The second factor, the passkeys, the sign-in methods if there are several, and the sessions of the account. */
export function SecurityTab() {
  const config = useConfig()
  const isSsoManaged = useCurrentUser().sso_managed
  return (
    <div className="flex flex-col gap-6">
      <SecondFactorSection />
      {config?.passkeys && !isSsoManaged ? <PasskeysSection /> : null}
      {config?.sign_in_providers.length || isSsoManaged ? <IdentitiesSection /> : null}
      <SessionsSection />
    </div>
  )
}
