/** The facts that a simulated printer reads from a file before printing it. */
export interface GcodeFacts {
  /** Print time that the slicer estimated. */
  minutes: number
  /** Length of filament. */
  filamentMm: number
  filamentGrams: number
}

/** The facts that are used for a file without these comments, so that its print takes some time. */
const DEFAULT_FACTS: GcodeFacts = { minutes: 60, filamentMm: 5000, filamentGrams: 14.9 }

/** Converts `1d 2h 3m 4s` to minutes. */
function minutesOf(text: string): number {
  const unit = (letter: string): number => Number(new RegExp(`(\\d+)${letter}\\b`).exec(text)?.[1] ?? '0')
  return unit('d') * 1440 + unit('h') * 60 + unit('m') + unit('s') / 60
}

/** Sums the numbers in a text. Slicers write one number for each tool. */
const sumOf = (text: string): number =>
  text.split(/[,;]/).reduce((sum, part) => sum + (Number(part.trim()) || 0), 0)

/** Reads the comments that slicers write, if the file has them. Binary files contain the same words in their blocks. */
export function readGcodeFacts(bytes: Buffer): GcodeFacts {
  // Metadata is at the beginning or at the end of the file, and movements are between them.
  const text = `${bytes.subarray(0, 65_536).toString('latin1')}\n${bytes.subarray(-65_536).toString('latin1')}`
  const valueOf = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1]?.trim()
  const time =
    valueOf(/estimated printing time(?: \(normal mode\))?\s*=\s*([^\n\0]+)/i) ??
    valueOf(/model printing time:\s*([^;\n]+)/i)
  const seconds = valueOf(/^;TIME:(\d+)/m)
  const mm = valueOf(/filament used \[mm\]\s*=\s*([^\n\0]+)/i)
  const grams = valueOf(/(?:total )?filament used \[g\]\s*=\s*([^\n\0]+)/i)
  const minutes = time !== undefined ? minutesOf(time) : Number(seconds ?? '0') / 60
  return {
    minutes: minutes > 0 ? minutes : DEFAULT_FACTS.minutes,
    filamentMm: mm === undefined ? DEFAULT_FACTS.filamentMm : sumOf(mm),
    filamentGrams: grams === undefined ? DEFAULT_FACTS.filamentGrams : sumOf(grams),
  }
}
