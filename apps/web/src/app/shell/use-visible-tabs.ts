import { hasRole } from '@pegasus/contracts/roles'
import { useCurrentUser } from '../../lib/session/session.ts'
import { TABS, type Tab } from '../tabs.ts'

/** Returns the tabs that the signed-in person may open. */
export function useVisibleTabs(): readonly Tab[] {
  const { role } = useCurrentUser()
  return TABS.filter((tab) => !tab.role || hasRole(role, tab.role))
}
