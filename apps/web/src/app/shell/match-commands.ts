import { allowedTypos, foldText, typosBetween } from '@pegasus/contracts/texts/fuzzy'

interface SearchedCommand {
  label: string
  /** Further search words for the command. */
  words?: string
}

const textOf = ({ label, words = '' }: SearchedCommand): string => foldText(`${label} ${words}`)

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

/** Lists the commands that contain the typed text. Accents and case are ignored. */
export const commandsWith = <Command extends SearchedCommand>(
  commands: readonly Command[],
  typed: string,
): Command[] => commands.filter((command) => textOf(command).includes(foldText(typed)))

/**
 * Lists the commands that have each typed word, or a word that differs from it by few typing errors. The commands
 * with the fewest errors come first.
 */
export function commandsLike<Command extends SearchedCommand>(
  commands: readonly Command[],
  typed: string,
): Command[] {
  const words = wordsOf(foldText(typed))
  if (words.length === 0) return []
  const rated = commands.map((command) => ({ command, typos: typosIn(wordsOf(textOf(command)), words) }))
  return rated
    .filter(({ typos }) => typos !== null)
    .toSorted((a, b) => (a.typos ?? 0) - (b.typos ?? 0))
    .map(({ command }) => command)
}

/** Counts the typing errors of all typed words. Returns null if a typed word resembles no word of the command. */
function typosIn(ofCommand: readonly string[], typed: readonly string[]): number | null {
  let sum = 0
  for (const word of typed) {
    const most = allowedTypos(word)
    const least = Math.min(
      ...ofCommand.map((other) => (other.startsWith(word) ? 0 : typosBetween(word, other, most))),
    )
    if (least > most) return null
    sum += least
  }
  return sum
}
