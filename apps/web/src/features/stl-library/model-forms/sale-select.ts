/** A person's statement about selling prints, as the value of a select. */
export const SALE_OPTIONS = [
  { value: 'unsaid', label: 'Not said' },
  { value: 'allowed', label: 'Allowed' },
  { value: 'forbidden', label: 'Not allowed' },
] as const

const SALE_VALUES: Readonly<Record<string, boolean | null>> = {
  unsaid: null,
  allowed: true,
  forbidden: false,
}

/** Parses a select's value; undefined if nothing is chosen. */
export const readSale = (value: string): boolean | null | undefined => SALE_VALUES[value]

export const saleChoiceOf = (isAllowed: boolean | null): string =>
  isAllowed === null ? 'unsaid' : isAllowed ? 'allowed' : 'forbidden'
