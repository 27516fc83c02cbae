import { byFullest, fitsFilament } from '../matching/filament/fits-filament.ts'
import type { JobRequirements, UnloadedSpool } from '../matching/requirements.queries.ts'

/** The spools on the shelf while a day is planned. Spools of one filament are equally fit, so the fullest comes first. */
export interface SpoolShelf {
  /** Like `spoolToLoad`: the chosen spool, otherwise the fullest one that matches, with the `needed` grams. */
  find(wanted: JobRequirements, needed: number | null): UnloadedSpool | null
  /**
   * Returns the `most` fullest spools of each filament. If some spools can feed that many tools, these can, too: the
   * fullest spool has enough for the tool that needs most, and so on.
   */
  fullest(most: number): UnloadedSpool[]
  /** Removes a spool, which must be on the shelf. */
  take(spool: UnloadedSpool): void
  /** Adds a spool that a printer has released. */
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
