import { MATERIAL_DENSITIES } from '@pegasus/contracts/filament/filament-weight'
import { TAG_MAX_LENGTH } from '@pegasus/contracts/stl-library/models'

const MAX_WORD_TAGS = 5
const MIN_WORD_LENGTH = 4
/** Words in file names that do not describe the part. */
const EMPTY_WORDS = new Set(
  'copy final fixed model part parts file files print printed printable version with from this that repaired export ascii binary large small test untitled body solid object'.split(
    ' ',
  ),
)
/** Matches sizes such as `20mm`, `0.4mm`, `8x3mm` and `M3`. */
const SIZE = /^(?:\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)*mm|m\d{1,2})$/

/** Returns whether a tag is a size, such as `20mm` or `M3`. */
export const isSizeTag = (tag: string): boolean => SIZE.test(tag)

/** Returns tags from the words of a file's name: materials and sizes first, then other searchable words. */
export function tagsFromFileName(fileName: string): string[] {
  const words = fileName
    .replace(/\.(stl|3mf|obj)$/i, '')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}.+]+/u)
    .map((word) => word.replace(/^[.+]+|\.+$/g, ''))
    .filter((word) => word.length <= TAG_MAX_LENGTH)
  const isTechnical = (word: string) => word.toUpperCase() in MATERIAL_DENSITIES || isSizeTag(word)
  const isWord = (word: string) =>
    /^[\p{L}\p{M}]+$/u.test(word) && [...word].length >= MIN_WORD_LENGTH && !EMPTY_WORDS.has(word)
  const technical = words.filter((word) => isTechnical(word))
  const others = words.filter((word) => !isTechnical(word) && isWord(word))
  return [...new Set([...technical.slice(0, MAX_WORD_TAGS), ...others.slice(0, MAX_WORD_TAGS)])]
}
