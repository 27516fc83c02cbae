import { Select } from '@/components/ui/forms/select.tsx'
import { type Language, LANGUAGES } from '@pegasus/contracts/texts/languages'
import { chooseLanguage, language } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'

interface LanguageSelectProps {
  /** Called with the chosen language, before the page is loaded again in it. */
  onChoose?: (language: Language) => Promise<void>
}

/** Chooses the language of the app in this browser. A choice loads the page again. */
export const LanguageSelect = ({ onChoose }: LanguageSelectProps) => (
  <Select
    aria-label={t('Language')}
    value={language}
    onChange={async (event) => {
      const chosen = event.target.value as Language
      await onChoose?.(chosen)
      chooseLanguage(chosen)
    }}
  >
    {Object.entries(LANGUAGES).map(([code, { name }]) => (
      <option key={code} value={code} lang={code}>
        {name}
      </option>
    ))}
  </Select>
)
