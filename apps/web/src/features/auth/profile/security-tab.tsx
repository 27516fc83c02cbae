import { useConfig } from '@/lib/http/config.ts'
import { SecondFactorSection } from '../second-factor/second-factor-section.tsx'
import { PasskeysSection } from '../passkeys/passkeys-section.tsx'
import { IdentitiesSection } from './identities-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** The second factor, the passkeys, the sign-in methods if there are several, and the sessions of the account. */
export const SecurityTab = () => (
  <div className="flex flex-col gap-6">
    <SecondFactorSection />
    {useConfig()?.passkeys ? <PasskeysSection /> : null}
    {useConfig()?.sign_in_providers.length ? <IdentitiesSection /> : null}
    <SessionsSection />
  </div>
)
