import { measureText } from '../../../platform/pdf/fonts.ts'

/**
 * Breaks a text into lines that fit the width, at blanks if possible, else after hyphens, else within a word. No letter
 * is lost. Returns at least one line.
 */
export function wrapLines(
  text: string,
  widthMm: number,
  style: { sizeMm: number; isBold: boolean },
): string[] {
  const fits = (part: string) => measureText(part.trimEnd(), style) <= widthMm
  const lines: string[] = []
  let line = ''
  const add = (part: string) => {
    if (fits(line + part)) line += part
    else {
      if (line !== '') lines.push(line.trimEnd())
      line = part
    }
  }
  for (const part of text.match(/[^\s-]*(?:-+|\s+|$)/g) ?? [])
    if (fits(part)) add(part)
    else for (const letter of part) add(letter)
  if (line !== '' || lines.length === 0) lines.push(line.trimEnd())
  return lines
}
