const VISIT_KEY = 'pegasus-ops-provider-visit'
/** A sign-in at a provider takes no longer. */
const LONGEST_VISIT_MS = 10 * 60_000

/** Remembers, in this tab, that the person goes to a sign-in provider. */
export const rememberProviderVisit = (): void => sessionStorage.setItem(VISIT_KEY, String(Date.now()))

/** Whether the person went to a provider within the last minutes. Each visit is expected back once. */
export function takeProviderVisit(): boolean {
  const leftAt = sessionStorage.getItem(VISIT_KEY)
  sessionStorage.removeItem(VISIT_KEY)
  return leftAt !== null && Date.now() - Number(leftAt) < LONGEST_VISIT_MS
}
