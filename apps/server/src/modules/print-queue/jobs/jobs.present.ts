import type { PrintJob, PrintJobStep } from '@pegasus/contracts/print-queue/jobs'
import { actorOfColumns } from '../../../platform/actor.ts'
import { fromMinor } from '@pegasus/contracts/money'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { picturePathOf } from '../../stl-library/index.ts'
import type { PrintJobRow, TransitionRow } from './job-list.queries.ts'

/** The data that `presentJob` needs besides the job. */
export interface JobPresentation {
  signer: PathSigner
  currency: string
}

const toIso = (moment: string): string => new Date(moment).toISOString()

/** Converts a print job to the API format. */
export const presentJob = (row: PrintJobRow, { signer, currency }: JobPresentation): PrintJob => ({
  ...row,
  current_plate: row.current_plate && {
    ...row.current_plate,
    started_at: toIso(row.current_plate.started_at),
    ends_at: row.current_plate.ends_at && toIso(row.current_plate.ends_at),
  },
  cost: row.cost_minor === null ? null : fromMinor(row.cost_minor, currency),
  planned_cost: row.planned_cost_minor === null ? null : fromMinor(row.planned_cost_minor, currency),
  stl_thumbnail_path:
    row.stl_file_id !== null && row.has_picture
      ? picturePathOf(signer, { modelId: row.stl_file_id, pictureVersion: row.picture_version })
      : null,
})

export const presentStep = (row: TransitionRow): PrintJobStep => ({ ...row, actor: actorOfColumns(row) })
