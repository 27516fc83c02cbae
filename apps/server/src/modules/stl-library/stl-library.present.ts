import type { StlFile } from '@pegasus/contracts/stl-files'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { ModelRow } from './stl-library.queries.ts'

/** A model in the words of the wire; the response schema drops what is ours alone. */
export const presentModel = (row: ModelRow, signer: PathSigner): StlFile => ({
  ...row,
  thumbnail_path: row.thumbnail_key === null ? null : signer.sign(`/api/stl-files/${row.id}/thumbnail`),
})
