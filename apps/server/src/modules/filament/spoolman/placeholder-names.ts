/**
 * Spoolman allows a filament without a material and a vendor without a name. Our database stores these words instead,
 * and people see them. The statements in `spoolman.queries.ts` contain the same words.
 */
export const UNKNOWN_MATERIAL = 'Unknown'
export const UNNAMED_VENDOR = 'Unnamed'
