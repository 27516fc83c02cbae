import { fromMinor } from '@pegasus/contracts/money'
import { findProductFaults, PRODUCT_LICENSES, type ProductLicense } from '@pegasus/contracts/product-rules'
import type { ProductReview } from '@pegasus/contracts/product-review'
import type { Database } from '../../../platform/database/database.ts'
import { isUuid } from '../../../platform/http/paging.ts'
import { findItem } from '../../inventory/index.ts'
import { readSaleGate } from '../../stl-library/index.ts'

export interface Review {
  /** Judges a draft of any state, as it would be judged on publishing. */
  of(draft: Readonly<Record<string, unknown>>): Promise<ProductReview>
}

type Finding = ProductReview['findings'][number]

const MAX_MODELS = 50

const notice = (field: string, message: string): Finding => ({
  kind: 'notice',
  field,
  message,
  stl_file_id: null,
})

const isLicense = (value: unknown): value is ProductLicense =>
  (PRODUCT_LICENSES as readonly unknown[]).includes(value)

const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(isUuid).slice(0, MAX_MODELS) : []

const isEmptyList = (value: unknown): boolean => !Array.isArray(value) || value.length === 0

function judgeMedia(draft: Readonly<Record<string, unknown>>): Finding[] {
  if (isEmptyList(draft['images']) && isEmptyList(draft['videos']) && !draft['posterUrl'])
    return [notice('images', 'There is no picture of this product yet.')]
  return draft['posterUrl'] ? [] : [notice('posterUrl', 'No picture is marked as the poster.')]
}

export function createReview({ database, currency }: { database: Database; currency: string }): Review {
  const costOf = async (itemId: unknown): Promise<number | null> => {
    const item = isUuid(itemId) ? await findItem(database.sql, itemId) : null
    const costs = [item?.material_cost_minor, item?.labor_cost_minor].filter(
      (cost) => typeof cost === 'number',
    )
    return costs.length === 0
      ? null
      : fromMinor(
          costs.reduce((sum, cost) => sum + cost, 0),
          currency,
        )
  }

  return {
    async of(draft) {
      const license = isLicense(draft['license']) ? draft['license'] : null
      const gate = await readSaleGate(database.sql, { license, modelIds: idsIn(draft['stl_file_ids']) })
      const cost = await costOf(draft['inventory_item_id'])
      const price = draft['price'] === '' ? Number.NaN : Number(draft['price'])
      const faults = findProductFaults(draft).map(
        ({ field, message }): Finding => ({ kind: 'fault', field, message, stl_file_id: null }),
      )
      const licences = gate.reasons.map(
        ({ kind, text, modelId }): Finding => ({
          kind,
          field: modelId === null ? 'license' : 'stl_file_ids',
          message: text,
          stl_file_id: modelId,
        }),
      )
      const below =
        cost !== null && price < cost
          ? [notice('price', `The price is below the cost of ${cost} ${currency} for one piece.`)]
          : []
      return {
        findings: [...faults, ...licences, ...judgeMedia(draft), ...below],
        license_verdict: gate.verdict,
        attributions: gate.attributions,
        cost,
      }
    },
  }
}
