import { byFullest, fitsFilament } from '../matching/filament/fits-filament.ts'
import type { JobRequirements, UnloadedSpool } from '../matching/requirements.queries.ts'

/** The spools that are in no printer while a day is planned. Among spools of one filament, the fullest comes first. */
export interface SpoolShelf {
  /**
   * Finds a spool with the `needed` grams, like `spoolToLoad`: the chosen spool, otherwise the fullest one that
   * matches.
   */
  find(wanted: JobRequirements, needed: number | null): UnloadedSpool | null
  /**
   * Returns the `most` fullest spools of each filament. If any `most` spools of a filament can feed that many tools,
   * the fullest ones can, too.
   */
  fullest(most: number): UnloadedSpool[]
  /** Removes this spool from the shelf, on which it must be. */
  take(spool: UnloadedSpool): void
  /** Adds a spool that was taken out of a printer. */
  add(spool: UnloadedSpool): void
}

const filamentOf = ({ material, product, color, color_hex: hex }: UnloadedSpool): string =>
  JSON.stringify([material, product, color, hex].map((part) => (part ?? '').trim().toLowerCase()))

/** Creates a shelf with these spools. */
export function createSpoolShelf(spools: readonly UnloadedSpool[]): SpoolShelf {
  const byFilament = new Map<string, UnloadedSpool[]>()
  const byId = new Map<string, UnloadedSpool>()
  const spoolsLike = (spool: UnloadedSpool): UnloadedSpool[] => {
    const filament = filamentOf(spool)
    const rolls = byFilament.get(filament) ?? []
    byFilament.set(filament, rolls)
    return rolls
  }
  const add = (spool: UnloadedSpool): void => {
    const rolls = spoolsLike(spool)
    const at = rolls.findIndex((other) => other.remaining_grams < spool.remaining_grams)
    rolls.splice(at === -1 ? rolls.length : at, 0, spool)
    byId.set(spool.id, spool)
  }
  for (const spool of spools.toSorted(byFullest)) {
    spoolsLike(spool).push(spool)
    byId.set(spool.id, spool)
  }

  return {
    find(wanted, needed) {
      const isEnough = ({ remaining_grams: left }: UnloadedSpool) => needed === null || left >= needed
      const chosen = wanted.spool_id === null ? undefined : byId.get(wanted.spool_id)
      if (chosen && isEnough(chosen) && fitsFilament(wanted, chosen)) return chosen
      let best: UnloadedSpool | null = null
      for (const [roll] of byFilament.values())
        if (roll && isEnough(roll) && roll.remaining_grams > (best?.remaining_grams ?? -1))
          if (fitsFilament(wanted, roll)) best = roll
      return best
    },
    fullest: (most) => [...byFilament.values()].flatMap((rolls) => rolls.slice(0, most)),
    take(spool) {
      const rolls = spoolsLike(spool)
      rolls.splice(rolls.indexOf(spool), 1)
      byId.delete(spool.id)
    },
    add,
  }
}
