import type { StlFile } from '@pegasus/contracts/stl-files'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { attributionOf, judgeSale } from '../keeping/licence.ts'
import type { ModelRow } from './models.queries.ts'

/** A model in the words of the wire; the response schema drops what is ours alone. */
export function presentModel(row: ModelRow, signer: PathSigner): StlFile {
  const picture = `/api/stl-files/${row.id}/thumbnail`
  const sale = judgeSale(row)
  // Pictures of what lies in the bin are not handed out.
  const has = (key: string | null) => key !== null && row.deleted_at === null
  return {
    ...row,
    attribution: attributionOf(row),
    sale_verdict: sale.verdict,
    sale_reason: sale.reason,
    thumbnail_path: has(row.thumbnail_key) ? signer.sign(picture) : null,
    // The signature is for the picture of the model, from whatever side.
    second_thumbnail_path: has(row.second_thumbnail_key) ? `${signer.sign(picture)}&angle=2` : null,
  }
}
