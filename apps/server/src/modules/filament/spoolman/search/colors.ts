/** The basic CSS colors, and some more that filaments have. */
const NAMED: Readonly<Record<string, string>> = {
  black: '000000',
  silver: 'C0C0C0',
  gray: '808080',
  grey: '808080',
  white: 'FFFFFF',
  maroon: '800000',
  red: 'FF0000',
  purple: '800080',
  fuchsia: 'FF00FF',
  magenta: 'FF00FF',
  green: '008000',
  lime: '00FF00',
  olive: '808000',
  yellow: 'FFFF00',
  navy: '000080',
  blue: '0000FF',
  teal: '008080',
  aqua: '00FFFF',
  cyan: '00FFFF',
  orange: 'FFA500',
  gold: 'FFD700',
  brown: 'A52A2A',
  pink: 'FFC0CB',
  violet: 'EE82EE',
  indigo: '4B0082',
  turquoise: '40E0D0',
  beige: 'F5F5DC',
  ivory: 'FFFFF0',
}

/**
 * Parses a color such as `#f00`, `ff0000` or `red` and returns it as `RRGGBB`. Returns null for other words.
 */
export function readColor(text: string): string | null {
  const word = text.replaceAll(/\s/g, '').toLowerCase()
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(word)?.[1]
  if (hex === undefined) return Object.hasOwn(NAMED, word) ? (NAMED[word] ?? null) : null
  return hex.length === 6 ? hex.toUpperCase() : [...hex.toUpperCase()].map((digit) => digit + digit).join('')
}

/** CIELAB coordinates of a color, with the white point D65. */
type Lab = readonly [lightness: number, a: number, b: number]

const toLinear = (byte: number): number => {
  const share = byte / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const toCubeRoot = (share: number): number =>
  share > (6 / 29) ** 3 ? Math.cbrt(share) : share / (3 * (6 / 29) ** 2) + 4 / 29

function toLab(hex: string): Lab {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) =>
    toLinear(Number.parseInt(hex.slice(at, at + 2), 16)),
  )
  const x = toCubeRoot((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047)
  const y = toCubeRoot(0.2126 * red + 0.7152 * green + 0.0722 * blue)
  const z = toCubeRoot((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/**
 * Returns the difference of two colors by CIE94 for graphic arts: 0 for equal colors, about 100 for black and white.
 * Both are written as `RRGGBB`; further digits are ignored.
 */
export function colorDistance(one: string, other: string): number {
  const [[l1, a1, b1], [l2, a2, b2]] = [toLab(one), toLab(other)]
  const [c1, c2] = [Math.hypot(a1, b1), Math.hypot(a2, b2)]
  const chroma = c1 - c2
  const hueSquared = Math.max(0, (a1 - a2) ** 2 + (b1 - b2) ** 2 - chroma ** 2)
  return Math.hypot(l1 - l2, chroma / (1 + 0.045 * c1), Math.sqrt(hueSquared) / (1 + 0.015 * c1))
}
