import { byFullest, fitsFilament } from '../matching/fits-filament.ts'
import type { JobRequirements, UnloadedSpool } from '../matching/requirements.queries.ts'

/** The rolls on the shelf while a day is planned. Rolls of one filament are equally fit, so the fullest comes first. */
export interface Stock {
  /** Like `spoolToLoad`: the chosen roll, otherwise the fullest one that matches, with the `needed` grams. */
  find(wanted: JobRequirements, needed: number | null): UnloadedSpool | null
  /**
   * Returns the `most` fullest rolls of each filament. If some rolls can feed that many tools, these can, too: the
   * fullest roll has enough for the tool that needs most, and so on.
   */
  fullest(most: number): UnloadedSpool[]
  take(spool: UnloadedSpool): void
  add(spool: UnloadedSpool): void
}

const filamentOf = ({ material, product, color, color_hex: hex }: UnloadedSpool): string =>
  JSON.stringify([material, product, color, hex].map((part) => (part ?? '').trim().toLowerCase()))

export function createStock(spools: readonly UnloadedSpool[]): Stock {
  const byFilament = new Map<string, UnloadedSpool[]>()
  const byId = new Map<string, UnloadedSpool>()
  const rollsLike = (spool: UnloadedSpool): UnloadedSpool[] => {
    const filament = filamentOf(spool)
    const rolls = byFilament.get(filament) ?? []
    byFilament.set(filament, rolls)
    return rolls
  }
  const add = (spool: UnloadedSpool): void => {
    const rolls = rollsLike(spool)
    const at = rolls.findIndex((other) => other.remaining_grams < spool.remaining_grams)
    rolls.splice(at === -1 ? rolls.length : at, 0, spool)
    byId.set(spool.id, spool)
  }
  for (const spool of spools.toSorted(byFullest)) {
    rollsLike(spool).push(spool)
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
      const rolls = rollsLike(spool)
      rolls.splice(rolls.indexOf(spool), 1)
      byId.delete(spool.id)
    },
    add,
  }
}
