import type postgres from 'postgres'

const UTC_OFFSET = '+00'

/**
 * How values travel. A moment is a text with all its microseconds: a Date would lose them, and a page
 * that begins after a rounded moment skips or repeats rows.
 */
export const VALUE_TYPES: Record<string, postgres.PostgresType> = {
  moment: {
    to: 1184,
    from: [1184],
    serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
    parse: parseMoment,
  },
  // A moment without a zone and a day stay what PostgreSQL writes: a Date would move them by the zone of the machine.
  localMoment: { to: 1114, from: [1114], serialize: asText, parse: (text: string) => text },
  day: { to: 1082, from: [1082], serialize: asText, parse: (text: string) => text },
  bigint: { to: 20, from: [20], serialize: String, parse: parseInteger },
}

function asText(value: Date | string): string {
  return value instanceof Date ? value.toISOString() : value
}

/** `2026-03-01 12:00:00.123456+00` becomes `2026-03-01T12:00:00.123456Z`; the sessions' zone is UTC. */
function parseMoment(text: string): string {
  return text.endsWith(UTC_OFFSET) ? `${text.slice(0, -UTC_OFFSET.length).replace(' ', 'T')}Z` : text
}

function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The number ${text} in the database is too large to be exact.`)
  return value
}
