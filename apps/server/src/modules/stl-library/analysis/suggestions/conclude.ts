import type { Queryable } from '../../../../platform/database/database.ts'
import { publish } from '../../../events/index.ts'
import { describeShape } from './describe-shape.ts'
import { keepOpen, type Suggestion } from './suggestion.ts'
import { findModelToSuggest, saveSuggestion } from './suggestions.queries.ts'

/** Fills what is still open of a model, in the transaction that looks whether it is. */
export type Conclude = (tx: Queryable, modelId: string, suggestion: Suggestion) => Promise<void>

/** What is not proposed otherwise is described by its shape. */
export const concludeSuggestions: Conclude = async (tx, modelId, suggestion) => {
  const model = await findModelToSuggest(tx, modelId, { forUpdate: true })
  if (!model) return
  const description = suggestion.description ?? describeShape(model)
  const whole = description === null ? suggestion : { ...suggestion, description }
  if (await saveSuggestion(tx, modelId, keepOpen(whole, model)))
    await publish(tx, { type: 'updated', entity: 'stl_file', id: modelId })
}
