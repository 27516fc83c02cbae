import type { Queryable } from '../../../../platform/database/database.ts'
import { publish } from '../../../events/index.ts'
import { titleFromFileName } from '../../upload/file-name.ts'
import { isSizeTag, tagsFromFileName } from '../../upload/tags-from-name.ts'
import { describeShape } from './describe-shape.ts'
import { keepOpen, type Suggestion } from './suggestion.ts'
import { findModelToSuggest, type ModelToSuggest, saveSuggestion } from './suggestions.queries.ts'

/** Suggestions for a model. `versionId` names the version from whose file they were derived, if any. */
export interface Proposal {
  suggestion: Suggestion
  versionId?: string
}

/**
 * Fills the fields of a model that are still empty, in the transaction that checks them. Throws an Error if
 * the model's current version is no longer the one from which the suggestions were derived.
 */
export type CompleteSuggestions = (tx: Queryable, modelId: string, proposal: Proposal) => Promise<void>

/**
 * Returns the tags that the new file name suggests. If it suggests none, returns the earlier tags without size tags,
 * because those belonged to another file.
 */
function tagsOf({ file_name, tags }: ModelToSuggest): readonly string[] {
  const named = tagsFromFileName(file_name)
  return named.length > 0 ? named : tags.filter((tag) => !isSizeTag(tag))
}

/** Completes the given suggestions with values from the name and shape of the file. */
export const completeSuggestions: CompleteSuggestions = async (tx, modelId, { suggestion, versionId }) => {
  const model = await findModelToSuggest(tx, modelId, { forUpdate: true })
  if (!model) return
  if (versionId !== undefined && versionId !== model.version_id)
    throw new Error('The model has a newer version now.')
  const ownWords = {
    title: titleFromFileName(model.file_name),
    tags: tagsOf(model),
    description: describeShape(model),
  }
  if (await saveSuggestion(tx, modelId, keepOpen({ ...ownWords, ...suggestion }, model)))
    await publish(tx, { type: 'updated', entity: 'stl_file', id: modelId })
}
