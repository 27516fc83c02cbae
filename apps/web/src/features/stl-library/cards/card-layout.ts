const CARD_MIN_WIDTH = 248
const CARD_GAP = 16
/** Minimum width in pixels, including the border, of the wide layout. */
const WIDE_CARD = 302
/** Height in pixels of everything below a card's picture, including the border. */
const CARD_TEXT_HEIGHT = 171
const ROW_HEIGHT = 124

export interface CardLayout {
  isRow: boolean
  /** True if a card has room for words instead of symbols. */
  isWide: boolean
  columns: number
  gap: number
  /** Estimated height of a row of cards, in pixels, before it is drawn. */
  estimatedHeight: number
}

/** Returns the layout for a width in pixels. A phone gets rows instead of cards. */
export function cardLayout(width: number, isPhone: boolean): CardLayout {
  if (isPhone) return { isRow: true, isWide: false, columns: 1, gap: 0, estimatedHeight: ROW_HEIGHT }
  const columns = Math.max(1, Math.floor((width + CARD_GAP) / (CARD_MIN_WIDTH + CARD_GAP)))
  const cardWidth = (width - CARD_GAP * (columns - 1)) / columns
  return {
    isRow: false,
    isWide: cardWidth >= WIDE_CARD,
    columns,
    gap: CARD_GAP,
    estimatedHeight: Math.round((cardWidth * 4) / 5) + CARD_TEXT_HEIGHT,
  }
}

/** Maximum number of tags on a card. The card shows the number of the others. */
export const TAGS_SHOWN = 3
