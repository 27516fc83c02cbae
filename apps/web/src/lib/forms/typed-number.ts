/**
 * Parses a number field. Returns null for an empty field, and NaN for invalid text, so that the schema
 * reports it.
 */
export function typedNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  return plain === '' ? null : Number(plain)
}

/** Returns the text of a number field; empty if the number is null. */
export const numberText = (value: number | null): string => (value === null ? '' : String(value))
