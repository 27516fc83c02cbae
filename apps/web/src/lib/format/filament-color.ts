const HEX = /^#[0-9A-F]{6}([0-9A-F]{2})?$/i

/** Returns a CSS color for a color from the server; transparent if it is missing or invalid. */
export const filamentColor = (hex: string | null | undefined): string =>
  hex && HEX.test(hex) ? hex.slice(0, 7) : 'transparent'
