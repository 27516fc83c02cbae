/**
 * Spoolman's filaments may lack a material and its vendors a name. Here, both have words that people see instead. The
 * texts of `spoolman.queries.ts` contain the same words.
 */
export const UNKNOWN_MATERIAL = 'Unknown'
export const UNNAMED_VENDOR = 'Unnamed'
