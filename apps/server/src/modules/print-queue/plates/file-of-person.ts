import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { findBestSlice } from '../../slices/index.ts'

/** The known values of a printer and a job. They serve to guess which file a person prints. */
interface PrintOfPerson extends Row<'printers', 'model'> {
  versionId: string | null
  nozzleMm: number | null
  bedMm: number[] | null
  modelMm: number[] | null
  material: string | null
  /** The materials of the loaded spools and of the chosen spool, in lower case. Empty if no spool is known. */
  materials: string[]
}

/**
 * Returns the id of the newest sliced file of the job's version if one piece needs all plates of this file, otherwise
 * null. It supplies the filament, the time and the number of prepared plates if the printer or its model is unknown.
 */
export async function findFileOfAllPlates(tx: Queryable, jobId: string): Promise<string | null> {
  const file = await firstRow(tx<{ id: string }[]>`
    select f.id from print_jobs j cross join lateral newest_sliced_print(j.stl_version_id) f
    where j.id = ${jobId} and f.plates_per_print > 1`)
  return file?.id ?? null
}

/**
 * Returns the sliced file that a person most likely prints on a printer, or null: the best one for its bed, its model,
 * its nozzle and the loaded filament. It supplies the filament and the time of the plate, but not its number of pieces,
 * because a person can arrange a plate at the machine. `spoolId` is the spool that the person chose for the plate.
 */
export async function findFileOfPerson(
  tx: Queryable,
  { jobId, printerId, spoolId }: { jobId: string; printerId: string; spoolId: string | null },
): Promise<string | null> {
  const print = await firstRow(tx<PrintOfPerson[]>`
    select p.model, p.nozzle_mm::float8 as "nozzleMm", p.bed_mm as "bedMm", v.size_mm as "modelMm",
           j.stl_version_id as "versionId",
           nullif(trim(coalesce(g.material, j.material, c.material, i.material_used)), '') as material,
           array(select distinct lower(trim(s.material))
                 from stock_spools s
                 where s.id = g.id or s.id in (select t.spool_id from printer_slots t where t.printer_id = p.id)) as materials
    from print_jobs j
    join printers p on p.id = ${printerId}
    left join library_versions v on v.id = j.stl_version_id
    left join stock_items i on i.id = j.item_id
    left join stock_spools c on c.id = j.spool_id
    left join stock_spools g on g.id = ${spoolId}
    where j.id = ${jobId}`)
  if (!print || print.versionId === null) return null
  const { versionId, model: printerModel, nozzleMm, bedMm, modelMm, material, materials } = print
  const file = {
    versionId,
    printerModel,
    nozzleMm,
    bedMm,
    modelMm,
    fileTypes: null,
    material,
    isByHand: true,
  }
  const best = await findBestSlice(tx, { ...file, materials: materials.length > 0 ? materials : null })
  return best?.id ?? (printerModel === null ? findFileOfAllPlates(tx, jobId) : null)
}
