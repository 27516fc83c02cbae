const VISIT_KEY = 'pegasus-ops-provider-visit'
/** The longest time that a sign-in at a provider may take, in ms. */
const LONGEST_VISIT_MS = 10 * 60_000

/** Records, in this tab, that the person goes to a sign-in provider. */
export const rememberProviderVisit = (): void => sessionStorage.setItem(VISIT_KEY, String(Date.now()))

/**
 * Returns whether the person went to a provider within the last ten minutes. Deletes the record, so that each visit is
 * used only once.
 */
export function takeProviderVisit(): boolean {
  const leftAt = sessionStorage.getItem(VISIT_KEY)
  sessionStorage.removeItem(VISIT_KEY)
  return leftAt !== null && Date.now() - Number(leftAt) < LONGEST_VISIT_MS
}
