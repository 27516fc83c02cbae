import { SecondFactorSection } from '../second-factor/second-factor-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** The second factor, and the sessions of the account. */
export const SecurityTab = () => (
  <div className="flex flex-col gap-6">
    <SecondFactorSection />
    <SessionsSection />
  </div>
)
