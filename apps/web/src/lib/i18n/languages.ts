/** The languages of the app. Each has a catalog in `catalogs/`, except English, whose texts are in the code. */
export const LANGUAGES = {
  en: { name: 'English', locale: 'en-US', direction: 'ltr' },
  de: { name: 'Deutsch', locale: 'de-DE', direction: 'ltr' },
  he: { name: 'עברית', locale: 'he-IL', direction: 'rtl' },
} as const satisfies Record<string, { name: string; locale: string; direction: 'ltr' | 'rtl' }>

export type Language = keyof typeof LANGUAGES

/** The key in localStorage. `public/theme.js` also reads it, and sets the language and direction of the page. */
const LANGUAGE_KEY = 'pegasus-ops-language'

const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(LANGUAGES, value)

/** Returns the language that the person has chosen in this browser. The default is English. */
function readLanguage(): Language {
  try {
    const saved = localStorage.getItem(LANGUAGE_KEY)
    return isLanguage(saved) ? saved : 'en'
  } catch {
    // The storage may be disabled, and a unit test has none.
    return 'en'
  }
}

/** The language of this page. It stays the same until the page is loaded again. */
export const language: Language = readLanguage()

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
  if (chosen === language) return
  localStorage.setItem(LANGUAGE_KEY, chosen)
  location.reload()
}
