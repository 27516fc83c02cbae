import type { MatchReason } from '@pegasus/contracts/print-queue/job-waits'
import { type ActionParts, actionOf } from './wait-action.ts'
import type { Candidate, JobRequirements, LoadedFilament, UnloadedSpool } from './requirements.queries.ts'

const isSame = (a: string | null, b: string | null): boolean =>
  (a ?? '').trim().toLowerCase() === (b ?? '').trim().toLowerCase()

type Filament = Pick<LoadedFilament, 'material' | 'product' | 'color'>

const hasMaterial = (needs: JobRequirements, { material, product }: Filament): boolean =>
  isSame(material, needs.material) &&
  // The product matters only if a person chose a spool for the job.
  (needs.match_strictness === 'material' || needs.product === null || isSame(product, needs.product))

const hasColor = (needs: JobRequirements, { color }: Filament): boolean =>
  needs.match_strictness !== 'exact' || needs.color === null || isSame(color, needs.color)

/**
 * Returns whether a filament matches a job, according to the job's strictness. A job without a material accepts any
 * filament.
 */
export const fitsFilament = (needs: JobRequirements, filament: Filament): boolean =>
  needs.material === null || (hasMaterial(needs, filament) && hasColor(needs, filament))

/**
 * Returns the name of the needed filament, such as `PLA Black`. If a spool was chosen, the name includes its product:
 * `PolyLite PLA Black`.
 */
const filamentName = (needs: JobRequirements): string => {
  const product = needs.match_strictness === 'material' ? null : needs.product
  const color = needs.match_strictness === 'exact' ? needs.color : null
  return [product, needs.material, color].filter(Boolean).join(' ')
}

const loadedNames = (loaded: readonly LoadedFilament[]): string => {
  const names = loaded.map(({ material, color }) => [material, color].filter(Boolean).join(' '))
  return names.length === 0 ? 'Its slots are empty.' : `Loaded: ${[...new Set(names)].join(', ')}.`
}

const DECIMAL = new Intl.NumberFormat('en-US')

const grams = (value: number): string => {
  const rounded = value >= 10 ? Math.ceil(value) : Math.ceil(value * 10) / 10
  return `${DECIMAL.format(rounded)} g`
}

/**
 * Returns the unloaded spool to load: the chosen spool, otherwise the fullest one that matches. The spool
 * must hold the `needed` grams. Returns null if there is none.
 */
export function spoolToLoad(
  needs: JobRequirements,
  unloaded: readonly UnloadedSpool[],
  needed: number | null,
): UnloadedSpool | null {
  const fitting = unloaded.filter((spool) => fitsFilament(needs, spool))
  const enough = fitting.filter(({ remaining_grams: left }) => needed === null || left >= needed)
  const isFuller = (a: UnloadedSpool, b: UnloadedSpool) => b.remaining_grams - a.remaining_grams
  return enough.find(({ id }) => id === needs.spool_id) ?? enough.toSorted(isFuller)[0] ?? null
}

/**
 * Returns the reasons that concern the loaded filament: wrong material, wrong color, or too little filament.
 * `needed` is in grams.
 */
export function filamentReasons(
  needs: JobRequirements,
  printer: Candidate,
  { needed, unloaded }: { needed: number | null; unloaded: readonly UnloadedSpool[] },
): MatchReason[] {
  if (needs.material === null) return []
  const spool = spoolToLoad(needs, unloaded, needed)
  const load: ActionParts = spool
    ? {
        action: actionOf('load_spool', `Load ${spool.label}`, {
          printer_id: printer.id,
          filament_id: spool.id,
        }),
      }
    : {}
  const ofMaterial = printer.loaded.filter((loaded) => hasMaterial(needs, loaded))
  if (ofMaterial.length === 0) {
    const message = `Needs ${filamentName(needs)}. ${loadedNames(printer.loaded)}`
    return [{ code: 'material', message, ...load }]
  }
  const fitting = ofMaterial.filter((loaded) => hasColor(needs, loaded))
  if (fitting.length === 0) {
    const other = ofMaterial.find(({ color }) => color !== null)?.color ?? null
    const change: ActionParts =
      other === null ? {} : { action: actionOf('change_color', `Print in ${other}`, { color: other }) }
    const message = `Needs ${filamentName(needs)}. ${loadedNames(printer.loaded)}`
    return [{ code: 'color', message, ...(load.action ? load : change) }]
  }
  const fullest = Math.max(...fitting.map(({ remaining_grams: left }) => left))
  if (needed === null || fullest >= needed) return []
  const message = `Short by ${grams(needed - fullest)} of ${filamentName(needs)}: needs ${grams(needed)}, ${grams(fullest)} loaded.`
  return [{ code: 'grams_short', message, ...load }]
}

/** Returns a reason if the second or a later tool of the sliced file needs a material that is in no slot. */
export function toolReasons(
  tools: readonly { material: string | null; grams: number | null }[],
  printer: Candidate,
): MatchReason[] {
  const missing = tools
    .slice(1)
    .flatMap(({ material, grams: used }, index) =>
      material === null || used === 0 || printer.loaded.some((loaded) => isSame(loaded.material, material))
        ? []
        : [`Tool ${index + 2} needs ${material}.`],
    )
  return missing.length === 0
    ? []
    : [{ code: 'material', message: `${missing.join(' ')} ${loadedNames(printer.loaded)}` }]
}
