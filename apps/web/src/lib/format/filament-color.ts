const HEX = /^#[0-9A-F]{6}([0-9A-F]{2})?$/i

/** A colour from the server for use in a style; undefined for an invalid one. */
export const filamentColor = (hex: string | null | undefined): string =>
  hex && HEX.test(hex) ? hex.slice(0, 7) : 'transparent'
