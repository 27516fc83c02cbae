/** Returns a number of pieces with the matching verb: `1 piece is`, `3 pieces are`. */
export const pieces = (count: number): string => (count === 1 ? '1 piece is' : `${count} pieces are`)
