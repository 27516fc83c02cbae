import { SecondFactorSection } from '../second-factor/second-factor-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** What keeps the account its owner's: the second factor, and where it is signed in. */
export const SecurityTab = () => (
  <div className="flex flex-col gap-6">
    <SecondFactorSection />
    <SessionsSection />
  </div>
)
