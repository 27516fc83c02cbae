/** Reads a number field: null while it is empty, NaN where it holds no number, for the schema's sentence to say so. */
export function typedNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  return plain === '' ? null : Number(plain)
}

/** A number as it stands in a field, where it is not known: nothing. */
export const numberText = (value: number | null): string => (value === null ? '' : String(value))
