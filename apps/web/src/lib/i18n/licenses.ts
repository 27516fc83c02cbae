import { LICENSE_TYPES, type LicenseType } from '@pegasus/contracts/stl-library/licenses'
import { t } from './messages.ts'

/** The licenses of models. Creative Commons has the same short names in every language. */
export const LICENSE_LABELS: Readonly<Record<LicenseType, string>> = {
  'Public Domain': t('Public Domain'),
  CC0: 'CC0',
  'CC BY': 'CC BY',
  'CC BY-SA': 'CC BY-SA',
  'CC BY-NC': 'CC BY-NC',
  Custom: t('Custom'),
}

export const LICENSE_OPTIONS = LICENSE_TYPES.map((value) => ({ value, label: LICENSE_LABELS[value] }))
