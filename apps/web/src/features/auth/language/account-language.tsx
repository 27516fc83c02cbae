import { isLanguage } from '@pegasus/contracts/texts/languages'
import { useEffect } from 'react'
import { logWarning } from '@/lib/browser/log.ts'
import { chooseLanguage, languageChoice } from '@/lib/i18n/languages.ts'
import { saveLanguage } from '@/lib/session/own-account.ts'
import { useCurrentUser } from '@/lib/session/session.ts'

/**
 * Stores the language that was chosen in this browser in an account that has none, so that its emails are in that
 * language. A browser in which no language was chosen uses the account's language.
 */
export function AccountLanguage(): null {
  const { language } = useCurrentUser().metadata
  useEffect(() => {
    if (isLanguage(language)) {
      if (languageChoice === null) chooseLanguage(language)
    } else if (languageChoice !== null)
      saveLanguage(languageChoice).catch((error: unknown) => {
        logWarning('The language could not be stored with the account.', error)
      })
  }, [language])
  return null
}
