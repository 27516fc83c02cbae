import type { Slice } from '@pegasus/contracts/slices/slices'
import { actorOfColumns } from '../../../platform/actor.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { SliceRow } from './slices.queries.ts'

/**
 * Converts a slice to the API format. The response schema drops internal fields. Deleted slices have no
 * picture.
 */
export const presentSlice = (row: SliceRow, signer: PathSigner): Slice => ({
  ...row,
  uploaded_by: actorOfColumns(row),
  thumbnail_path:
    row.picture_key === null || row.deleted_at !== null
      ? null
      : signer.sign(`/api/stl-files/${row.stl_file_id}/slices/${row.id}/thumbnail`),
})
