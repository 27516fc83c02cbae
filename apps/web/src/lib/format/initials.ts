const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Returns the first letters of the first and last word: `MH` for "Maximiliane von Hohenberg". */
export function initialsOf(name: string): string {
  // The parts of a username are separated by dots, hyphens and underscores.
  const words = (name.includes(' ') ? name.trim().split(/\s+/) : name.split(/[._-]+/)).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word) => firstGrapheme(word ?? '').toLocaleUpperCase()).join('')
}

function firstGrapheme(word: string): string {
  const [first] = graphemes.segment(word)
  return first?.segment ?? ''
}
