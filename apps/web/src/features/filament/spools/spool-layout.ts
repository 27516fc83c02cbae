const CARD_MIN_WIDTH = 252
const CARD_GAP = 16
const CARD_HEIGHT = 209
const ROW_HEIGHT = 186

export interface SpoolLayout {
  isRow: boolean
  columns: number
  gap: number
  estimatedHeight: number
}

/** Returns the layout for a width in pixels: a grid of cards, or rows on a phone. */
export function spoolLayout(width: number, isPhone: boolean): SpoolLayout {
  if (isPhone) return { isRow: true, columns: 1, gap: 0, estimatedHeight: ROW_HEIGHT }
  const columns = Math.max(1, Math.floor((width + CARD_GAP) / (CARD_MIN_WIDTH + CARD_GAP)))
  return { isRow: false, columns, gap: CARD_GAP, estimatedHeight: CARD_HEIGHT }
}
