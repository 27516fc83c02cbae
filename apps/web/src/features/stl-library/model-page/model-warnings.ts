import type { Model } from '@pegasus/contracts/stl-library/models'

export type ModelWarning = Model['warnings'][number]

/** By the codes of the mesh package: what stands over the sentence. */
const TITLES: Readonly<Record<string, string>> = {
  'extra-bytes': 'Extra bytes at the end',
  'empty-solid': 'Empty solid',
  'open-edges': 'Not watertight',
  'non-manifold': 'Surfaces meet wrongly',
  inverted: 'Inside out',
  degenerate: 'Flat triangles',
  duplicates: 'Double triangles',
  'volume-uncertain': 'Volume not well defined',
  'units-metres': 'Probably modelled in metres',
  'units-inches': 'Probably modelled in inches',
  'units-too-large': 'Units look wrong',
  'slicer-command': 'Slicer command',
}

/** What keeps a print from succeeding comes before what only looks odd. */
const GRAVITY: readonly string[] = [
  'analysis_failed',
  'empty-solid',
  'units-metres',
  'units-inches',
  'units-too-large',
  'open-edges',
  'non-manifold',
  'inverted',
  'volume-uncertain',
]

const LONGEST_BADGE = 26

const firstClause = (message: string): string => message.split(/[.:;,]\s|[.:;,]$/, 1)[0]?.trim() ?? ''

const gravityOf = ({ code }: ModelWarning): number => {
  const place = GRAVITY.indexOf(code)
  return place === -1 ? GRAVITY.length : place
}

/** The warning to show where there is room for one; null if there is none. */
export const gravestWarning = (warnings: readonly ModelWarning[]): ModelWarning | null =>
  warnings.toSorted((a, b) => gravityOf(a) - gravityOf(b))[0] ?? null

/** Warnings of commands for a slicer, one for each place of the file that has one, and all others. */
export function splitCommands(warnings: readonly ModelWarning[]): [ModelWarning[], ModelWarning[]] {
  const isCommand = ({ code }: ModelWarning) => code === 'slicer-command'
  return [warnings.filter(isCommand), warnings.filter((warning) => !isCommand(warning))]
}

/** Heading of a warning whose sentence stands below it; null where there is only the sentence. */
export const warningTitle = ({ code }: ModelWarning): string | null => TITLES[code] ?? null

/** A warning in the few words that fit on a picture: a size that looks wrong, its title, or the beginning of its sentence. */
export function shortWarning(warning: ModelWarning): string {
  const clause = firstClause(warning.message)
  if (isAboutUnits(warning)) return `${clause}: units?`
  const title = warningTitle(warning)
  if (title) return title
  return clause.length <= LONGEST_BADGE ? clause : `${clause.slice(0, LONGEST_BADGE - 1).trimEnd()}…`
}

export const isAboutUnits = ({ code }: ModelWarning): boolean => code.startsWith('units-')
