/**
 * In Spoolman, a filament may have no material and a vendor no name. In our database, these words are stored
 * instead, and people see them. The statements in `spoolman.queries.ts` contain the same words.
 */
export const UNKNOWN_MATERIAL = 'Unknown'
export const UNNAMED_VENDOR = 'Unnamed'
