/** Matches a SAML time. SAML writes all times in UTC. */
const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/

/**
 * Reads a SAML time. Returns null if the attribute is missing, and an invalid date if it is not a time in
 * UTC.
 */
export function readSamlTime(text: string | null): Date | null {
  if (text === null) return null
  return new Date(UTC.test(text) ? text : Number.NaN)
}

export const samlTime = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, 'Z')
