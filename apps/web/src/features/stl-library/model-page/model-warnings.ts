import type { Model } from '@pegasus/contracts/stl-library/models'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

export type ModelWarning = Model['warnings'][number]

/** Maps the warning codes of the mesh package to headings. */
const TITLES: Readonly<Record<string, string>> = {
  'extra-bytes': t('Extra bytes at the end'),
  'empty-solid': t('Empty solid'),
  'open-edges': t('Not watertight'),
  'non-manifold': t('Surfaces meet incorrectly'),
  inverted: t('Inside out'),
  degenerate: t('Flat triangles'),
  duplicates: t('Double triangles'),
  'volume-uncertain': t('Volume not well defined'),
  'units-metres': t('Probably modeled in meters'),
  'units-inches': t('Probably modeled in inches'),
  'units-too-large': t('Units look wrong'),
  'slicer-command': t('Slicer command'),
}

/** Warning codes, most serious first. Problems that prevent a print come before unusual properties. */
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

/** Returns the most serious warning; null if there is none. */
export const gravestWarning = (warnings: readonly ModelWarning[]): ModelWarning | null =>
  warnings.toSorted((a, b) => gravityOf(a) - gravityOf(b))[0] ?? null

/**
 * Separates warnings about slicer commands from all other warnings. There is one such warning for each place in the
 * file.
 */
export function splitCommands(warnings: readonly ModelWarning[]): [ModelWarning[], ModelWarning[]] {
  const isCommand = ({ code }: ModelWarning) => code === 'slicer-command'
  return [warnings.filter(isCommand), warnings.filter((warning) => !isCommand(warning))]
}

/** Returns the heading above a warning's sentence; null if it has none. */
export const warningTitle = ({ code }: ModelWarning): string | null => TITLES[code] ?? null

/**
 * Shortens a warning to a few words for a picture. The result is the unusual size, the heading, or the start
 * of the sentence.
 */
export function shortWarning(warning: ModelWarning): string {
  const clause = firstClause(serverText(warning.message))
  if (isAboutUnits(warning)) return t('{clause}: units?', { clause })
  const title = warningTitle(warning)
  if (title) return title
  return clause.length <= LONGEST_BADGE ? clause : `${clause.slice(0, LONGEST_BADGE - 1).trimEnd()}…`
}

export const isAboutUnits = ({ code }: ModelWarning): boolean => code.startsWith('units-')
