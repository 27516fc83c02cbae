import type { PrintJob, PrintJobStep } from '@pegasus/contracts/print-queue'
import { actorOfColumns } from '../../platform/actor.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { PrintJobRow, TransitionRow } from './print-queue.queries.ts'

/** A print job in the words of the wire. */
export const presentJob = (row: PrintJobRow, signer: PathSigner): PrintJob => ({
  ...row,
  stl_thumbnail_path: row.has_picture ? signer.sign(`/api/stl-files/${row.stl_file_id}/thumbnail`) : null,
})

export const presentStep = (row: TransitionRow): PrintJobStep => ({ ...row, actor: actorOfColumns(row) })
