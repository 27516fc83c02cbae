import { isLanguage, type Language, LANGUAGES } from '@pegasus/contracts/texts/languages'

/** The key in localStorage. `public/theme.js` also reads it, and sets the language and direction of the page. */
export const LANGUAGE_KEY = 'pegasus-ops-language'

/** Returns the language that was chosen in this browser; null if none was. */
function readChoice(): Language | null {
  try {
    const saved = localStorage.getItem(LANGUAGE_KEY)
    return isLanguage(saved) ? saved : null
  } catch {
    // The storage may be disabled, and a unit test has none.
    return null
  }
}

/** The language that was chosen in this browser; null if none was. */
export const languageChoice: Language | null = readChoice()

/** The language of this page. It stays the same until the page is loaded again. */
export const language: Language = languageChoice ?? 'en'

/** The locale of numbers in the chosen language. */
export const languageLocale: string = LANGUAGES[language].locale

/** The direction of text in the chosen language. */
export const direction: 'ltr' | 'rtl' = LANGUAGES[language].direction

/**
 * Keeps a number and its unit, or a size, in their order inside a text that is written from right to left:
 * `12.0 × 9.5 mm`.
 */
export const keepOrder = (measure: string): string =>
  direction === 'rtl' ? `\u2066${measure}\u2069` : measure

/** Saves the language and loads the page again, because all its texts change. */
export function chooseLanguage(chosen: Language): void {
  if (chosen === languageChoice) return
  localStorage.setItem(LANGUAGE_KEY, chosen)
  if (chosen !== language) location.reload()
}
