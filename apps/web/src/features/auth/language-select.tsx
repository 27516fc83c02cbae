import { Select } from '@/components/ui/forms/select.tsx'
import { chooseLanguage, type Language, language, LANGUAGES } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Chooses the language of the app in this browser. A choice loads the page again. */
export const LanguageSelect = () => (
  <Select
    aria-label={t('Language')}
    value={language}
    onChange={(event) => chooseLanguage(event.target.value as Language)}
  >
    {Object.entries(LANGUAGES).map(([code, { name }]) => (
      <option key={code} value={code} lang={code}>
        {name}
      </option>
    ))}
  </Select>
)
