import type { Model } from '@pegasus/contracts/stl-library/models'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { attributionOf, judgeSale } from './licence.ts'
import type { ModelRow } from './models.queries.ts'

/**
 * Names the file that a picture is of, so that a browser does not go on showing that of another version. The view
 * `library_versions` has it as `picture_version`.
 */
const pictureVersionOf = ({ sha256 }: Pick<ModelRow, 'sha256'>): string => sha256.slice(0, 12)

/**
 * Where the picture of a model is: that of the version named, of the current one where none is. The signature is for the
 * picture of the model, of whatever version and from whatever side.
 */
export function picturePathOf(
  signer: PathSigner,
  { modelId, pictureVersion }: { modelId: string; pictureVersion: string | null },
): string {
  const path = signer.sign(`/api/stl-files/${modelId}/thumbnail`)
  return pictureVersion === null ? path : `${path}&of=${pictureVersion}`
}

/** A model in the words of the wire; the response schema drops what is ours alone. */
export function presentModel(row: ModelRow, signer: PathSigner): Model {
  const picture = picturePathOf(signer, { modelId: row.id, pictureVersion: pictureVersionOf(row) })
  const sale = judgeSale(row)
  // Pictures of what lies in the bin are not handed out.
  const has = (key: string | null) => key !== null && row.deleted_at === null
  return {
    ...row,
    attribution: attributionOf(row),
    sale_verdict: sale.verdict,
    sale_reason: sale.reason,
    thumbnail_path: has(row.thumbnail_key) ? picture : null,
    second_thumbnail_path: has(row.second_thumbnail_key) ? `${picture}&angle=2` : null,
  }
}
