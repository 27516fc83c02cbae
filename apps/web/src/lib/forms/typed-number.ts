/** Parses a number field: null for an empty one, NaN for an invalid one, so that the schema reports it. */
export function typedNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  return plain === '' ? null : Number(plain)
}

/** A number as the text of a field; empty if unknown. */
export const numberText = (value: number | null): string => (value === null ? '' : String(value))
