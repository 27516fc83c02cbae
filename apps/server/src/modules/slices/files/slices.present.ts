import type { Slice } from '@pegasus/contracts/slices/slices'
import { actorOfColumns } from '../../../platform/actor.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { SliceRow } from './slices.queries.ts'

/** Returns whether a note asks if one piece needs all plates of the file. The note is hidden once this is decided. */
const asksForPlates = (note: string): boolean => note.includes('plates with different parts')

/**
 * Converts a slice to the API format. The response schema drops internal fields. Deleted slices have no
 * picture.
 */
export const presentSlice = (row: SliceRow, signer: PathSigner): Slice => ({
  ...row,
  notes: row.needs_all_plates === null ? row.notes : row.notes.filter((note) => !asksForPlates(note)),
  uploaded_by: actorOfColumns(row),
  thumbnail_path:
    row.picture_key === null || row.deleted_at !== null
      ? null
      : signer.sign(`/api/stl-files/${row.stl_file_id}/slices/${row.id}/thumbnail`),
})
