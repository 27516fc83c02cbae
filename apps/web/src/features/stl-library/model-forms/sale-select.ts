import { t } from '@/lib/i18n/messages.ts'

/** Values of a select that asks whether prints of a model may be sold. */
export const SALE_OPTIONS = [
  { value: 'unsaid', label: t('Not decided') },
  { value: 'allowed', label: t('Allowed') },
  { value: 'forbidden', label: t('Not allowed') },
] as const

const SALE_VALUES: Readonly<Record<string, boolean | null>> = {
  unsaid: null,
  allowed: true,
  forbidden: false,
}

/** Converts the value of the select to the API's value; undefined if nothing is selected. */
export const readSale = (value: string): boolean | null | undefined => SALE_VALUES[value]

export const saleChoiceOf = (isAllowed: boolean | null): string =>
  isAllowed === null ? 'unsaid' : isAllowed ? 'allowed' : 'forbidden'
