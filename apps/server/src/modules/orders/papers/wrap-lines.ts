import { measureText } from '../../../platform/pdf/fonts.ts'

/**
 * Breaks a text into lines that fit the width: at spaces if possible, otherwise after hyphens, otherwise within a word.
 * No letter is lost. Returns at least one line. Measures each word only once, instead of each possible line, because an
 * order can have a thousand long names.
 */
export function wrapLines(
  text: string,
  widthMm: number,
  style: { sizeMm: number; isBold: boolean },
): string[] {
  const lines: string[] = []
  let line = ''
  let lineWidth = 0
  const add = (part: string) => {
    if (line !== '' && lineWidth + measureText(part.trimEnd(), style) > widthMm) {
      lines.push(line.trimEnd())
      line = ''
      lineWidth = 0
    }
    line += part
    lineWidth += measureText(part, style)
  }
  for (const part of text.match(/[^\s-]*(?:-+|\s+|$)/g) ?? [])
    if (measureText(part.trimEnd(), style) <= widthMm) add(part)
    else for (const letter of part) add(letter)
  if (line !== '' || lines.length === 0) lines.push(line.trimEnd())
  return lines
}
