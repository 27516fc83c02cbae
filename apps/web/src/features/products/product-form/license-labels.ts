import type { ProductLicense } from '@pegasus/contracts/products/product-rules'
import { LICENSE_LABELS } from '@/lib/i18n/licenses.ts'

/** The licenses in their usual spelling. */
export const LICENSE_WORDS: Readonly<Record<ProductLicense, string>> = {
  cc0: 'CC0',
  'cc-by': 'CC BY',
  'cc-by-sa': 'CC BY-SA',
  'cc-by-nc': 'CC BY-NC',
  custom: LICENSE_LABELS.Custom,
}

export const licenseLabel = (license: string): string =>
  (LICENSE_WORDS as Readonly<Record<string, string>>)[license] ?? license
