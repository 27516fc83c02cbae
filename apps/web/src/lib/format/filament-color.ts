const HEX = /^#[0-9A-F]{6}([0-9A-F]{2})?$/i

/** A colour of the wire for a style; what is no such colour is none, since it may have come from anywhere. */
export const filamentColor = (hex: string | null | undefined): string =>
  hex && HEX.test(hex) ? hex.slice(0, 7) : 'transparent'
