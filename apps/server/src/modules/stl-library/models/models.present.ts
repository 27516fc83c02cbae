import type { Model, SlicedPiece } from '@pegasus/contracts/stl-library/models'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { attributionOf, judgeSale } from './license.ts'
import type { ModelRow, NewestSlice } from './models.queries.ts'

/**
 * Identifies the version that a picture shows, so that a browser never shows a cached picture of another
 * version. The view `library_versions` returns the same value as `picture_version`.
 */
const pictureVersionOf = ({ sha256 }: Pick<ModelRow, 'sha256'>): string => sha256.slice(0, 12)

/**
 * Returns the address of a picture of a model. The picture shows the version `pictureVersion`, or the current one if it
 * is null. One signature is valid for all pictures of the model.
 */
export function picturePathOf(
  signer: PathSigner,
  { modelId, pictureVersion }: { modelId: string; pictureVersion: string | null },
): string {
  const path = signer.sign(`/api/stl-files/${modelId}/thumbnail`)
  return pictureVersion === null ? path : `${path}&of=${pictureVersion}`
}

/** Returns the weight and the time of one piece of a sliced file. */
function slicedPieceOf(slice: NewestSlice): SlicedPiece {
  const { id, file_name, material, grams, minutes, pieces, plates_per_print: plates } = slice
  return {
    slice_id: id,
    file_name,
    material,
    grams: Math.round((100 * grams) / pieces) / 100,
    minutes: Math.round((100 * minutes) / pieces) / 100,
    pieces,
    plates,
  }
}

/** Converts a model to the API format. The response schema drops internal fields. */
export function presentModel(row: ModelRow, signer: PathSigner): Model {
  const picture = picturePathOf(signer, { modelId: row.id, pictureVersion: pictureVersionOf(row) })
  const sale = judgeSale(row)
  // Pictures of deleted models are not served, so they have no address.
  const has = (key: string | null) => key !== null && row.deleted_at === null
  return {
    ...row,
    sliced_piece: row.newest_slice && slicedPieceOf(row.newest_slice),
    attribution: attributionOf(row),
    sale_verdict: sale.verdict,
    sale_reason: sale.reason,
    thumbnail_path: has(row.thumbnail_key) ? picture : null,
    second_thumbnail_path: has(row.second_thumbnail_key) ? `${picture}&angle=2` : null,
  }
}
