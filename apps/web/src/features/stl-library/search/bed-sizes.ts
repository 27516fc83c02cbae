/** Print beds that many have: width, depth and height in millimetres. */
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

/** Whether a text is a bed as the list of models wants it: `220x220x250`, no side of which is nothing. */
export const isBedSize = (text: string): boolean =>
  BED.test(text) && text.split('x').every((side) => Number(side) > 0)

/** `220 × 220 × 250 mm` */
export const formatBed = (bed: string): string => `${bed.split('x').join(' × ')} mm`

/** What was typed for the three sides as a bed; null where that is none. A comma is a decimal point. */
export function bedOf(sides: readonly string[]): string | null {
  const bed = sides.map((side) => side.trim().replace(',', '.')).join('x')
  return isBedSize(bed) ? bed : null
}

const KEY = 'pegasus-ops-bed'

/** The bed of the last search by one, of this browser: whoever has a printer asks for the same every time. */
export function recallBed(): string | null {
  const text = localStorage.getItem(KEY)
  return text !== null && isBedSize(text) ? text : null
}

export const rememberBed = (bed: string): void => localStorage.setItem(KEY, bed)
