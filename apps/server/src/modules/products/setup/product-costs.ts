import type { ItemCost, SlicedSource } from '@pegasus/contracts/inventory/costs'
import type { ProductCost } from '@pegasus/contracts/products/setup'
import type { Database } from '../../../platform/database/database.ts'
import { type Costs, findItem, gramsEach, listUndecidedSlices, withSlice } from '../../inventory/index.ts'
import { findModel } from '../../stl-library/index.ts'

/** The models and the item from which the cost of a product is calculated. */
interface Sources {
  itemId: string | null
  modelIds: readonly string[]
}

export interface ProductCosts {
  /**
   * Returns the cost of one piece. Returns null if neither weight nor print time is known. Ignores models and items in
   * the trash, because drafts may still name them.
   */
  of(sources: Sources): Promise<ProductCost | null>
}

type Model = NonNullable<Awaited<ReturnType<typeof findModel>>>

/**
 * Returns the weight of one piece and its material: from the newest sliced file, otherwise the estimate for the model's
 * intended material, or for the first known material.
 */
export function printedWeight({
  print_estimate: estimate,
  print_material: own,
  newest_slice: slice,
}: Model): { material: string | null; grams: number } | null {
  if (slice) return { material: slice.material, grams: gramsEach(slice) }
  const wanted = own?.trim().toLowerCase()
  const weights = estimate?.weights ?? []
  return weights.find(({ material }) => material.toLowerCase() === wanted) ?? weights[0] ?? null
}

/** Returns the print time of one piece in minutes: from the newest sliced file, otherwise the estimate. */
const printedMinutes = ({ newest_slice: slice, print_estimate: estimate }: Model): number | null =>
  slice ? slice.minutes / slice.pieces : (estimate?.minutes ?? null)

/**
 * Returns the number of plates to prepare for one piece of a model. It is a fraction if the plate of its sliced file
 * holds several pieces, and 0 for a model without figures, which adds nothing to the cost.
 */
function platesEach({ newest_slice: slice, print_estimate: estimate }: Model): number {
  if (slice) return slice.plates_per_print / slice.pieces
  return estimate === null ? 0 : 1
}

/** A piece whose figures are unknown. */
const UNKNOWN = {
  weight_grams: null,
  print_time_minutes: null,
  pieces_per_print: 1,
  material_cost_minor: null,
  labor_cost_minor: null,
}

/** Returns the figures from which to calculate the cost of a product that has one piece of each of these models. */
function figuresOfModels(
  models: readonly Model[],
  undecided: ReadonlySet<string>,
): Parameters<Costs['ofFigures']>[0] {
  const weights = models.map(printedWeight).filter((weight) => weight !== null)
  const minutes = models.map(printedMinutes).filter((time) => time !== null)
  const slices = models.flatMap(({ newest_slice: slice }) => slice ?? [])
  return {
    ...UNKNOWN,
    weight_grams: weights.length > 0 ? roundedSum(weights.map(({ grams }) => grams)) : null,
    print_time_minutes: minutes.length > 0 ? Math.round(total(minutes)) : null,
    plates_per_print: total(models.map(platesEach)),
    ...(slices.length > 0 && {
      sliced_grams: roundedSum(slices.map(gramsEach)),
      sliced_from: slices.map(({ id, file_name }) => ({
        id,
        file_name,
        fields: ['weight_grams' as const, 'print_time_minutes' as const],
        is_provisional: undecided.has(id),
      })),
    }),
  }
}

/**
 * Returns whether the cost is meaningful. Without weight and print time, it would contain only costs that do not depend
 * on the product.
 */
const isKnown = ({ missing }: Pick<ItemCost, 'missing'>): boolean =>
  !(missing.includes('weight_grams') && missing.includes('print_time_minutes'))

const MISSING_WORDS = {
  weight_grams: 'The weight is not known, so the cost does not include the material.',
  print_time_minutes:
    'The print time is not known, so the cost does not include electricity and machine time.',
} as const

/**
 * Creates the cost calculation. It uses the costs of the item if its weight or print time is known. Otherwise, it uses
 * the sliced files of the models and the library's estimates.
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
    const { lines, unit_cost, suggested_price, missing, sliced_from } = await costs.ofItem(id)
    if (!isKnown({ missing })) return null
    const words = [
      ...sliced_from.flatMap(sliceWords),
      ...missing.map((field) => MISSING_WORDS[field]),
      ...(await settingsWords()),
    ]
    return { lines, unit_cost, suggested_price, missing, sliced_from, basis: 'item', assumptions: words }
  }

  const ofModels = async (ids: readonly string[]): Promise<ProductCost | null> => {
    const models = (await Promise.all(ids.map((id) => findModel(database.sql, id)))).filter(
      (model) => model !== null,
    )
    const [first] = models
    const slice = models.length === 1 ? (first?.newest_slice ?? null) : null
    const undecided = await listUndecidedSlices(
      database.sql,
      models.flatMap(({ newest_slice: newest }) => newest?.id ?? []),
    )
    const figures = slice
      ? withSlice(UNKNOWN, { ...slice, is_undecided: undecided.has(slice.id) })
      : figuresOfModels(models, undecided)
    const sheet = await costs.ofFigures(figures)
    if (!isKnown(sheet)) return null
    const materials = [...new Set(models.flatMap((model) => printedWeight(model)?.material ?? []))].join(
      ' and ',
    )
    const isUnsliced = ({ newest_slice: newest }: Model) => newest === null
    const estimated = models.filter((model) => isUnsliced(model) && model.print_estimate !== null)
    const unknown = models.filter((model) => isUnsliced(model) && model.print_estimate === null)
    const shared = new Map(
      models.flatMap(({ newest_slice: newest }) =>
        newest !== null && newest.pieces > 1 ? [[newest.id, [sharedPlateWords(newest)]] as const] : [],
      ),
    )
    const assumptions = [
      ...(slice ? [] : [printWords(models.length, materials, { isShared: shared.size > 0 })]),
      ...sheet.sliced_from.flatMap((source) => [...sliceWords(source), ...(shared.get(source.id) ?? [])]),
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

/** Rounds to two decimals, because a sum of floating-point numbers can have more. */
const roundedSum = (amounts: readonly number[]): number => Math.round(100 * total(amounts)) / 100

/**
 * Returns a sentence about what the cost of the models contains. `isShared` means that a plate of a model holds several
 * pieces.
 */
function printWords(models: number, materials: string, { isShared }: { isShared: boolean }): string {
  const ofEach = models === 1 ? 'of the model' : `of each of the ${models} models`
  const inMaterials = materials && ` in ${materials}`
  return isShared
    ? `One piece ${ofEach}${inMaterials}.`
    : `One print ${ofEach}${inMaterials}, one piece at a time.`
}

/** Returns a sentence about the share of a sliced file's time and weight that each of its pieces gets. */
function sharedPlateWords(slice: NonNullable<Model['newest_slice']>): string {
  const { file_name: file, pieces, plates_per_print: plates, minutes } = slice
  const where = plates > 1 ? `${plates} plates` : 'a plate'
  const each = `${roundedSum([minutes / pieces])} min and ${gramsEach(slice)} g for each piece`
  return `${file} prints ${pieces} pieces on ${where}: ${each}.`
}

/** Returns sentences about the figures that a sliced file states, and whether they are provisional. */
const sliceWords = (slice: SlicedSource): string[] => [
  figureWords(slice),
  ...(slice.is_provisional
    ? [
        `It is not decided whether one piece needs all plates of ${slice.file_name}, so the cost counts one plate.`,
      ]
    : []),
]

function figureWords({ file_name: name, fields }: SlicedSource): string {
  if (fields.length > 1) return `Weight and time are those of the sliced file ${name}.`
  return fields[0] === 'weight_grams'
    ? `The weight is that of the sliced file ${name}.`
    : `The print time is that of the sliced file ${name}.`
}

function estimateWords({ print_estimate: estimate }: Model): string {
  const from = estimate?.source === 'slicer' ? 'the slicer' : 'the shape'
  const words = estimate?.assumptions ?? []
  return `Weight and time are estimated from ${from}${words.length > 0 ? `: ${words.join(', ')}` : ''}.`
}
