import { placeOnPrinter, plateNeeds, spoolsToLoad } from '../matching/filament/fits-filament.ts'
import type {
  Candidate,
  JobRequirements,
  LoadedFilament,
  RequiredSlice,
  UnloadedSpool,
} from '../matching/requirements.queries.ts'
import { planLoads } from '../matching/filament/tool-loads.ts'

/** A spool that has to be loaded before a print, and its slot. */
export interface SpoolChange {
  spool: UnloadedSpool
  slot: number
}

/** The spools to load for a plate with several tools, and the spools from which its tools will print. */
export interface ToolPlan {
  changes: SpoolChange[]
  /** The filament in the printer after these changes. */
  loaded: LoadedFilament[]
  feeds: { spool: LoadedFilament; grams: number }[]
}

/**
 * Plans the filament of a plate with several tools. `loaded` is the filament that will be in the printer at that time.
 * `main` says whether the job's own filament has to be loaded, which spool is best for it, and how many grams it needs.
 * A spool that a person chose is not replaced. Returns null if a tool needs filament that is not in stock, or for which
 * there is no slot.
 */
export function planTools(
  needs: JobRequirements,
  printer: Candidate,
  {
    slice,
    loaded,
    main,
    unloaded,
  }: {
    slice: RequiredSlice
    loaded: LoadedFilament[]
    main: { load: UnloadedSpool; needed: number | null } | null
    unloaded: readonly UnloadedSpool[]
  },
): ToolPlan | null {
  const isChosen = main !== null && main.load.id === needs.spool_id
  const own = main && {
    spools: isChosen ? [main.load] : spoolsToLoad(plateNeeds(needs, slice), unloaded, main.needed),
  }
  const plan: ToolPlan = { changes: [], loaded, feeds: [] }
  for (const { spool, slot } of planLoads(needs, { ...printer, loaded }, { slice, main: own, unloaded })) {
    if (!spool || slot === null) return null
    plan.changes.push({ spool, slot })
    plan.loaded = [{ ...spool, slot }, ...plan.loaded.filter((other) => other.slot !== slot)]
  }
  for (const { tool, spool, lacks } of placeOnPrinter(needs, { ...printer, loaded: plan.loaded }, slice)) {
    if (lacks !== null) return null
    if (spool && tool.grams !== null) plan.feeds.push({ spool, grams: tool.grams })
  }
  return plan
}
