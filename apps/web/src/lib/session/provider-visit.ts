const VISIT_KEY = 'pegasus-ops-provider-visit'

/** Remembers, in this tab, that the person goes to a sign-in provider. */
export const rememberProviderVisit = (): void => sessionStorage.setItem(VISIT_KEY, '1')

/** Whether the person went to a provider. Each visit is expected back once. */
export function takeProviderVisit(): boolean {
  const isExpected = sessionStorage.getItem(VISIT_KEY) !== null
  sessionStorage.removeItem(VISIT_KEY)
  return isExpected
}
