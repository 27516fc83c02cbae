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

/** An arrow in the direction of reading. Unicode does not mirror arrows in a text that is written from right to left. */
export const FORWARD_ARROW = direction === 'rtl' ? '←' : '→'

/**
 * Keeps a number and its unit, or a size, in their order inside a text that is written from right to left:
 * `12.0 × 9.5 mm`.
 */
export const keepOrder = (measure: string): string =>
  direction === 'rtl' ? `\u2066${measure}\u2069` : measure

/** Removes the characters that keep directions apart (`isolateText`) from a text before it is saved. */
export const withoutIsolates = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '')

/** Gives a label on an axis that runs from left to right the direction of its own letters: `31 באוק׳`. */
export const axisLabel = (label: string): string => (direction === 'rtl' ? `\u2068${label}\u2069` : label)

/** A letter of a script that is written from left to right, as in the names of printers and materials. */
const LEFT_TO_RIGHT = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

/**
 * Keeps a text in its own direction inside a text that is written from right to left, so that the words, numbers and
 * marks beside it do not mix with it. The characters are Unicode's "first strong isolate" and its end.
 */
export const isolateText = (text: string): string =>
  direction === 'rtl' && LEFT_TO_RIGHT.test(text) ? `\u2068${text}\u2069` : text

/** Saves the language and loads the page again, because all its texts change. */
export function chooseLanguage(chosen: Language): void {
  if (chosen === languageChoice) return
  localStorage.setItem(LANGUAGE_KEY, chosen)
  if (chosen !== language) location.reload()
}
