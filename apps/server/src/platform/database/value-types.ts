import type postgres from 'postgres'

const UTC_OFFSET = '+00'

/**
 * How values are converted. A timestamp is a text with all its microseconds: a Date would lose them, and a page that
 * begins after a rounded timestamp skips or repeats rows.
 */
export const VALUE_TYPES: Record<string, postgres.PostgresType> = {
  moment: {
    to: 1184,
    from: [1184],
    serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
    parse: parseMoment,
  },
  // A timestamp without zone and a date stay as PostgreSQL writes them: a Date would shift them by the machine's
  // zone.
  localMoment: { to: 1114, from: [1114], serialize: asText, parse: (text: string) => text },
  day: { to: 1082, from: [1082], serialize: asText, parse: (text: string) => text },
  bigint: { to: 20, from: [20], serialize: String, parse: parseInteger },
}

function asText(value: Date | string): string {
  return value instanceof Date ? value.toISOString() : value
}

/** `2026-03-01 12:00:00.123456+00` becomes `2026-03-01T12:00:00.123456Z`; sessions use UTC. */
function parseMoment(text: string): string {
  return text.endsWith(UTC_OFFSET) ? `${text.slice(0, -UTC_OFFSET.length).replace(' ', 'T')}Z` : text
}

function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The number ${text} in the database is too large to be exact.`)
  return value
}
