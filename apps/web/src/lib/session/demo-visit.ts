import { enterDemo, leaveDemo as endVisit } from '@pegasus/contracts/demo'
import { callApi } from '@/lib/http/api.ts'
import { LANGUAGE_KEY } from '../i18n/languages.ts'
import { THEME_KEY } from '../browser/theme.ts'
import { ENTERED_KEY } from './session.ts'
import { AUTH_KEY } from './stored-session.ts'

/**
 * Prefix of the demo's keys in localStorage. `public/demo.js` adds it, so that the demo and the shop have separate
 * entries.
 */
const PREFIX = 'demo/'
/** Entries that a visit takes over from the shop, because they are the person's habits. */
const HABITS = [THEME_KEY, LANGUAGE_KEY]

/** True if this page shows the demo. */
export const isDemo = document.documentElement.hasAttribute('data-demo')

/** Opens the demo in place of this page. The session in the shop stays as it is. Throws an ApiError. */
export async function visitDemo(): Promise<void> {
  const session = await callApi(enterDemo)
  forgetVisit()
  for (const key of HABITS) {
    const value = localStorage.getItem(key)
    if (value !== null) localStorage.setItem(PREFIX + key, value)
  }
  localStorage.setItem(PREFIX + AUTH_KEY, JSON.stringify(session))
  localStorage.setItem(PREFIX + ENTERED_KEY, '1')
  location.assign('/')
}

/** Leaves the demo, and opens a page of the shop. Throws an ApiError. */
export async function leaveDemo(address: string): Promise<void> {
  await callApi(endVisit)
  // In a page of the demo, the storage has only the demo's entries.
  localStorage.clear()
  location.assign(address)
}

/** Removes what an earlier visit has left in the storage of the shop's page. */
function forgetVisit(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
}
