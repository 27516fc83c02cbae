import type { ItemCost } from '@pegasus/contracts/inventory/costs'
import type { ProductCost } from '@pegasus/contracts/products/setup'
import type { Database } from '../../../platform/database/database.ts'
import { type Costs, findItem } from '../../inventory/index.ts'
import { findModel } from '../../stl-library/index.ts'

/** The models and the item of a product. */
interface Sources {
  itemId: string | null
  modelIds: readonly string[]
}

export interface ProductCosts {
  /**
   * Returns the cost of one piece, or null if neither material nor printing is known. Deleted models and
   * items are allowed, because drafts may name them.
   */
  of(sources: Sources): Promise<ProductCost | null>
}

type Model = NonNullable<Awaited<ReturnType<typeof findModel>>>

/**
 * Returns the estimated weight and time of one print, in the model's intended material, otherwise in the
 * first known material.
 */
export function printedWeight({ print_estimate: estimate, print_material: own }: Model) {
  const wanted = own?.trim().toLowerCase()
  const weights = estimate?.weights ?? []
  return weights.find(({ material }) => material.toLowerCase() === wanted) ?? weights[0] ?? null
}

/**
 * Returns whether the cost is meaningful. If both the weight and the print time are unknown, it contains only costs
 * that do not depend on the product.
 */
const isKnown = ({ missing }: Pick<ItemCost, 'missing'>): boolean =>
  !(missing.includes('weight_grams') && missing.includes('print_time_minutes'))

const MISSING_WORDS = {
  weight_grams: 'The weight is not known, so the cost does not include the material.',
  print_time_minutes:
    'The print time is not known, so the cost does not include electricity and machine time.',
} as const

/**
 * Creates the cost calculation. It uses the item's costs if the item has enough data, otherwise the library's estimates
 * for the models.
 */
export function createProductCosts({
  database,
  costs,
}: {
  database: Database
  costs: Pick<Costs, 'ofItem' | 'ofFigures' | 'getSettings'>
}): ProductCosts {
  const settingsWords = async (): Promise<string[]> =>
    (await costs.getSettings()).is_changed ? [] : ['The cost settings still have their default values.']

  const ofItem = async (id: string): Promise<ProductCost | null> => {
    if ((await findItem(database.sql, id)) === null) return null
    const { lines, unit_cost, suggested_price, missing } = await costs.ofItem(id)
    if (!isKnown({ missing })) return null
    const words = [...missing.map((field) => MISSING_WORDS[field]), ...(await settingsWords())]
    return { lines, unit_cost, suggested_price, missing, basis: 'item', assumptions: words }
  }

  const ofModels = async (ids: readonly string[]): Promise<ProductCost | null> => {
    const models = (await Promise.all(ids.map((id) => findModel(database.sql, id)))).filter(
      (model) => model !== null,
    )
    const estimated = models.filter(({ print_estimate: estimate }) => estimate !== null)
    const weights = estimated.map(printedWeight).filter((weight) => weight !== null)
    const minutes = estimated.flatMap(({ print_estimate: estimate }) => estimate?.minutes ?? [])
    const sheet = await costs.ofFigures({
      weight_grams: weights.length > 0 ? total(weights.map(({ grams }) => grams)) : null,
      print_time_minutes: minutes.length > 0 ? Math.round(total(minutes)) : null,
      pieces_per_print: 1,
      material_cost_minor: null,
      labor_cost_minor: null,
    })
    if (!isKnown(sheet)) return null
    const materials = [...new Set(weights.map(({ material }) => material))].join(' and ')
    const unknown = models.filter((model) => !estimated.includes(model))
    const assumptions = [
      `${models.length === 1 ? 'One print of the model' : `One print of each of the ${models.length} models`}${materials && ` in ${materials}`}, one piece at a time.`,
      ...new Set(estimated.map(estimateWords)),
      ...unknown.map(({ title }) => `“${title}” has no estimate, so the cost does not include it.`),
      ...sheet.missing.map((field) => MISSING_WORDS[field]),
      ...(await settingsWords()),
    ]
    return { ...sheet, basis: 'models', assumptions }
  }

  return {
    async of({ itemId, modelIds }) {
      const ofStock = itemId === null ? null : await ofItem(itemId)
      return ofStock ?? (modelIds.length === 0 ? null : ofModels(modelIds))
    },
  }
}

const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

function estimateWords({ print_estimate: estimate }: Model): string {
  const from = estimate?.source === 'slicer' ? 'the slicer' : 'the shape'
  const words = estimate?.assumptions ?? []
  return `Weight and time are estimated from ${from}${words.length > 0 ? `: ${words.join(', ')}` : ''}.`
}
