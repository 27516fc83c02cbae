import type { PrintJob, PrintJobStep } from '@pegasus/contracts/print-queue/jobs'
import { actorOfColumns } from '../../../platform/actor.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { picturePathOf } from '../../stl-library/index.ts'
import type { PrintJobRow, TransitionRow } from './job-list.queries.ts'

/** A print job in the wire format. */
export const presentJob = (row: PrintJobRow, signer: PathSigner): PrintJob => ({
  ...row,
  stl_thumbnail_path:
    row.stl_file_id !== null && row.has_picture
      ? picturePathOf(signer, { modelId: row.stl_file_id, pictureVersion: row.picture_version })
      : null,
})

export const presentStep = (row: TransitionRow): PrintJobStep => ({ ...row, actor: actorOfColumns(row) })
