import { typedToWire, wireToTyped } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Common print beds: width, depth and height in millimeters. */
export const COMMON_BEDS = [
  '180x180x180',
  '220x220x250',
  '250x210x220',
  '256x256x256',
  '300x300x400',
  '350x350x350',
] as const

const SIDE = String.raw`\d{1,5}(?:\.\d{1,2})?`
const BED = new RegExp(`^${SIDE}x${SIDE}x${SIDE}$`)

/** Returns whether a text is a valid bed for the list of models: `220x220x250`, with no side of 0. */
export const isBedSize = (text: string): boolean =>
  BED.test(text) && text.split('x').every((side) => Number(side) > 0)

/** Returns the sides of a bed as texts of number fields. */
export const sidesOf = (bed: string): string[] => bed.split('x').map((side) => wireToTyped(side))

/** Formats a bed: `220 × 220 × 250 mm`. */
export const formatBed = (bed: string): string => t('{split} mm', { split: sidesOf(bed).join(' × ') })

/** Converts three typed sides to a bed; null if they are invalid. */
export function bedOf(sides: readonly string[]): string | null {
  const bed = sides.map((side) => typedToWire(side)).join('x')
  return isBedSize(bed) ? bed : null
}

const KEY = 'pegasus-ops-bed'

/** Returns the last bed used in this browser, because people usually keep their printer. */
export function recallBed(): string | null {
  const text = localStorage.getItem(KEY)
  return text !== null && isBedSize(text) ? text : null
}

export const rememberBed = (bed: string): void => localStorage.setItem(KEY, bed)
