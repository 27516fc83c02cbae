import { DAY_MS, HOUR_MS } from '../../src/platform/clock.ts'
import type { Random } from '../random.ts'
import { DEMO_FILAMENTS, type DemoFilament } from './filaments.ts'
import type { DemoSpool, Step } from './steps.ts'

/** A spool with less filament than this is thrown away. */
const SCRAP_GRAMS = 90

/** Number of nearly empty spools that stay on the shelf. */
const KEPT_ENDS = 3

/** The shop's spools during the simulation. */
export interface Shelf {
  readonly spools: readonly DemoSpool[]
  /** Returns a spool for a print of this weight that is not loaded elsewhere, or null if there is none. */
  findSpool(filament: string, grams: number, loaded: readonly DemoSpool[]): DemoSpool | null
  /** Removes at most this much filament. Returns the amount that was removed. */
  take(spool: DemoSpool, grams: number, at: Date): number
  /** Throws out short ends that no printer uses, buys filaments that are running out, and archives empty spools. */
  tidy(at: Date, loaded: readonly DemoSpool[]): Step[]
}

export function stockShelf(start: Date, random: Random): { shelf: Shelf; steps: Step[] } {
  const spools: DemoSpool[] = []
  const emptiedAt = new Map<string, Date>()

  const buy = (filament: DemoFilament, at: Date): Step => {
    const number = spools.filter((spool) => spool.filament === filament).length + 1
    const { key, spoolGrams: remainingGrams } = filament
    const spool = { key: `${key}-${number}`, filament, arrivedAt: at, archivedAt: null, remainingGrams }
    spools.push(spool)
    return { at, by: 'staff', do: 'shelve spool', spool }
  }

  const steps = DEMO_FILAMENTS.flatMap((filament) =>
    Array.from({ length: filament.opening }, () =>
      buy(filament, new Date(start.getTime() + random.between(0, 3 * HOUR_MS))),
    ),
  )
  const fullest = (filament: DemoFilament) =>
    Math.max(0, ...spools.filter((spool) => spool.filament === filament).map((spool) => spool.remainingGrams))

  const shelf: Shelf = {
    spools,
    findSpool(filament, grams, loaded) {
      const isFit = (spool: DemoSpool) => spool.filament.key === filament && spool.remainingGrams >= grams
      return spools.find((spool) => isFit(spool) && !loaded.includes(spool)) ?? null
    },
    take(spool, grams, at) {
      const taken = Math.min(grams, spool.remainingGrams)
      spool.remainingGrams = Math.round((spool.remainingGrams - taken) * 100) / 100
      if (spool.remainingGrams === 0) emptiedAt.set(spool.key, at)
      return taken
    },
    tidy(at, loaded) {
      const isEnd = ({ remainingGrams: left }: DemoSpool) => left > 0 && left < SCRAP_GRAMS
      const ends = spools.filter((spool) => isEnd(spool) && !loaded.includes(spool))
      const thrownOut = ends.slice(0, -KEPT_ENDS).map((spool): Step => {
        const grams = shelf.take(spool, spool.remainingGrams, at)
        return {
          at,
          by: 'staff',
          do: 'throw out',
          spoolKey: spool.key,
          grams,
          reason: 'Too short for a plate',
        }
      })
      const archivable = spools.filter((spool) => spool.archivedAt === null && emptiedAt.has(spool.key))
      for (const spool of archivable)
        if (at.getTime() - emptiedAt.get(spool.key)!.getTime() > 1.3 * DAY_MS) spool.archivedAt = at
      const isShort = (each: DemoFilament) => each.isRestocked && fullest(each) < 0.45 * each.spoolGrams
      return [...thrownOut, ...DEMO_FILAMENTS.filter(isShort).map((filament) => buy(filament, at))]
    },
  }
  return { shelf, steps }
}
