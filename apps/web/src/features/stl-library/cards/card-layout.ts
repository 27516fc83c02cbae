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
/** Widths in pixels: a letter of a tag, a tag's padding with its gap, and the count of the other tags. */
const LETTER_WIDTH = 6.3
const TAG_EXTRA = 16
const COUNT_WIDTH = 32
/** Space in pixels for the tags of a card, and of a wide card. */
const TAG_ROOM = { usual: CARD_MIN_WIDTH - 30, wide: WIDE_CARD - 30 } as const

/**
 * Returns how many tags a card shows. A tag that does not fit is only counted, because its first two letters
 * would not help. The first tag is always shown.
 */
export function countShownTags(tags: readonly string[], isWide: boolean): number {
  const room = isWide ? TAG_ROOM.wide : TAG_ROOM.usual
  let used = 0
  let shown = 0
  for (const tag of tags.slice(0, TAGS_SHOWN)) {
    used += [...tag].length * LETTER_WIDTH + TAG_EXTRA
    const isLast = shown + 1 === tags.length
    if (shown > 0 && used + (isLast ? 0 : COUNT_WIDTH) > room) break
    shown += 1
  }
  return shown
}
