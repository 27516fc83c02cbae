import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { findBestSlice } from '../../slices/index.ts'

/** The data of a printer and a job from which follows what a person prints. */
interface PrintOfPerson extends Row<'printers', 'model'> {
  versionId: string | null
  nozzleMm: number | null
  material: string | null
  /** The materials of the loaded and the chosen spool, in lower case. Empty if no spool is known. */
  materials: string[]
}

/**
 * Returns the sliced file that a person most likely prints on a printer, or null: the best one for its model, its nozzle
 * and the loaded filament. It tells the filament and the time of the plate, but not its number of pieces, because a
 * person can arrange a plate at the machine. `spoolId` is the spool that the person chose for the plate.
 */
export async function findFileOfPerson(
  tx: Queryable,
  { jobId, printerId, spoolId }: { jobId: string; printerId: string; spoolId: string | null },
): Promise<string | null> {
  const print = await firstRow(tx<PrintOfPerson[]>`
    select p.model, p.nozzle_mm::float8 as "nozzleMm", j.stl_version_id as "versionId",
           nullif(trim(coalesce(g.material, j.material, c.material, i.material_used)), '') as material,
           array(select distinct lower(trim(s.material))
                 from stock_spools s
                 where s.id = g.id or s.id in (select t.spool_id from printer_slots t where t.printer_id = p.id)) as materials
    from print_jobs j
    join printers p on p.id = ${printerId}
    left join stock_items i on i.id = j.item_id
    left join stock_spools c on c.id = j.spool_id
    left join stock_spools g on g.id = ${spoolId}
    where j.id = ${jobId}`)
  if (!print || print.versionId === null) return null
  const { versionId, model: printerModel, nozzleMm, material, materials } = print
  const file = { versionId, printerModel, nozzleMm, fileTypes: null, material }
  return (
    (await findBestSlice(tx, { ...file, materials: materials.length > 0 ? materials : null }))?.id ?? null
  )
}
