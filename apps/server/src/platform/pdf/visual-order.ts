const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const LETTER = /\p{L}/u
const DIGIT = /\p{Nd}/u
/** Signs that belong to a number if they are between two digits. */
const IN_NUMBER = /^[.,:/+-]$/u
/** The mirror image of each sign that has one. Text from right to left shows the mirror image instead of the sign. */
const MIRRORED: Readonly<Record<string, string>> = Object.fromEntries(
  ['()', '[]', '{}', '<>', '«»', '‹›'].flatMap(([open = '', close = '']) => [
    [open, close],
    [close, open],
  ]),
)

type Kind = 'left' | 'right' | 'digit' | 'neutral'
interface Piece {
  text: string
  kind: Kind
  /**
   * The level of the Unicode algorithm: odd is from right to left, and even from left to right. A higher level is
   * nested in a lower one.
   */
  level: number
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function kindOf(letter: string): Kind {
  if (DIGIT.test(letter)) return 'digit'
  if (!LETTER.test(letter)) return 'neutral'
  return RIGHT_TO_LEFT.test(letter) ? 'right' : 'left'
}

/** Splits a text into letters and gives each its level, by a simplified Unicode Bidirectional Algorithm. */
function withLevels(text: string): Piece[] {
  const pieces = Array.from(letters.segment(text), ({ segment }) => ({
    text: segment,
    kind: kindOf(segment),
    level: 0,
  }))
  const base = pieces.find(({ kind }) => kind === 'left' || kind === 'right')?.kind === 'right' ? 1 : 0
  for (const [index, piece] of pieces.entries()) {
    const isBetween = pieces[index - 1]?.kind === 'digit' && pieces[index + 1]?.kind === 'digit'
    if (isBetween && IN_NUMBER.test(piece.text)) piece.kind = 'digit'
  }
  let strong = base === 1 ? 'right' : 'left'
  for (const piece of pieces) {
    if (piece.kind === 'left' || piece.kind === 'right') strong = piece.kind
    if (piece.kind === 'right') piece.level = 1
    else if (piece.kind === 'left') piece.level = base * 2
    else if (piece.kind === 'digit') piece.level = strong === 'right' ? 2 : base * 2
  }
  setNeutralLevels(pieces, base)
  return pieces
}

/**
 * Sets the levels of signs and blanks. Between two parts of the same direction, they get this direction. Elsewhere,
 * they get the direction of the whole text.
 */
function setNeutralLevels(pieces: readonly Piece[], base: number): void {
  /** Returns 1 for right to left, or 0. A number inside text from right to left counts as right to left. */
  const sideOf = (piece: Piece | undefined): number => {
    if (!piece) return base
    return piece.kind === 'right' || (piece.kind === 'digit' && piece.level === 2) ? 1 : 0
  }
  for (let from = 0; from < pieces.length; from += 1) {
    if (pieces[from]?.kind !== 'neutral') continue
    let to = from
    while (pieces[to]?.kind === 'neutral') to += 1
    const side = sideOf(pieces[from - 1])
    const level = side === sideOf(pieces[to]) ? (side === 1 ? 1 : base * 2) : base
    for (const piece of pieces.slice(from, to)) piece.level = level
    from = to
  }
}

/**
 * Splits a text that may contain both writing directions into parts, from left to right as they are printed. The font
 * library lays out each part, and itself reverses a word that is written from right to left. So such a part is a single
 * word.
 */
export function visualOrder(text: string): string[] {
  if (!RIGHT_TO_LEFT.test(text)) return [text]
  let pieces = withLevels(text)
  for (let level = 2; level > 0; level -= 1) pieces = reverseRuns(pieces, level)
  const parts: (Piece & { isWord: boolean })[] = []
  for (const piece of pieces) {
    const isWord = piece.kind === 'right'
    const last = parts.at(-1)
    if (piece.level % 2 === 0 && last?.level === piece.level) last.text += piece.text
    // The letters of this word come in reverse order, but the font library needs the order of reading.
    else if (isWord && last?.isWord) last.text = piece.text + last.text
    else
      parts.push({
        ...piece,
        isWord,
        text: piece.level === 1 ? (MIRRORED[piece.text] ?? piece.text) : piece.text,
      })
  }
  return parts.map((part) => part.text)
}

/** Reverses each series of adjacent pieces whose level is at least `level`. */
function reverseRuns(pieces: readonly Piece[], level: number): Piece[] {
  const ordered: Piece[] = []
  let run: Piece[] = []
  for (const piece of pieces) {
    if (piece.level >= level) {
      run.unshift(piece)
      continue
    }
    ordered.push(...run, piece)
    run = []
  }
  return [...ordered, ...run]
}
