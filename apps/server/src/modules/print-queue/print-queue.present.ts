import type { PrintJob } from '@pegasus/contracts/print-queue'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { PrintJobRow } from './print-queue.queries.ts'

/** A print job in the words of the wire. */
export const presentJob = (row: PrintJobRow, signer: PathSigner): PrintJob => ({
  ...row,
  stl_thumbnail_path: row.has_picture ? signer.sign(`/api/stl-files/${row.stl_file_id}/thumbnail`) : null,
})
