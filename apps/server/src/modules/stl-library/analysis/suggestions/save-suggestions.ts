import type { Queryable } from '../../../../platform/database/database.ts'
import { publish } from '../../../events/index.ts'
import { titleFromFileName } from '../../upload/file-name.ts'
import { isSizeTag, tagsFromFileName } from '../../upload/tags-from-name.ts'
import { describeShape } from './describe-shape.ts'
import { keepOpen, type Suggestion } from './suggestion.ts'
import { findModelToSuggest, type ModelToSuggest, saveSuggestion } from './suggestions.queries.ts'

/** Proposals, and the version that they were made from where they were made from its file. */
export interface Proposal {
  suggestion: Suggestion
  versionId?: string
}

/**
 * Fills what is still open of a model, in the transaction that looks whether it is. Throws an Error where the model stands
 * for another version by now than the one that the proposals are made from.
 */
export type Conclude = (tx: Queryable, modelId: string, proposal: Proposal) => Promise<void>

/** Of a name that tells nothing the former tags stay, but for sizes, which were those of another file. */
function tagsOf({ file_name, tags }: ModelToSuggest): readonly string[] {
  const named = tagsFromFileName(file_name)
  return named.length > 0 ? named : tags.filter((tag) => !isSizeTag(tag))
}

/** What is not proposed otherwise is what the file's name and shape say. */
export const concludeSuggestions: Conclude = async (tx, modelId, { suggestion, versionId }) => {
  const model = await findModelToSuggest(tx, modelId, { forUpdate: true })
  if (!model) return
  if (versionId !== undefined && versionId !== model.version_id)
    throw new Error('The model stands for another version by now.')
  const ownWords = {
    title: titleFromFileName(model.file_name),
    tags: tagsOf(model),
    description: describeShape(model),
  }
  if (await saveSuggestion(tx, modelId, keepOpen({ ...ownWords, ...suggestion }, model)))
    await publish(tx, { type: 'updated', entity: 'stl_file', id: modelId })
}
