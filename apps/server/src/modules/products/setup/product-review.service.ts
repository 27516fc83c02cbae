import {
  findProductFaults,
  PRODUCT_LICENSES,
  type ProductLicense,
  readBulkTiers,
} from '@pegasus/contracts/products/product-rules'
import type { ProductReview } from '@pegasus/contracts/products/setup'
import type { Database } from '../../../platform/database/database.ts'
import { isUuid } from '../../../platform/http/paging.ts'
import { readSaleGate } from '../../stl-library/index.ts'
import type { ProductCosts } from './product-costs.ts'
import { findProductOfItem } from './product-setup.queries.ts'

export interface Review {
  /** Reviews a draft, complete or not, by the rules for publishing. */
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
    return [notice('images', 'This product has no picture yet.')]
  return draft['posterUrl'] ? [] : [notice('posterUrl', 'No picture is marked as the poster.')]
}

/** Returns the findings about prices below the cost, for single pieces and for bulk tiers. */
function judgePrices(
  draft: Readonly<Record<string, unknown>>,
  cost: number,
  money: Intl.NumberFormat,
): Finding[] {
  const { price, bulkTiers } = draft
  const isGiven = typeof price === 'number' || (typeof price === 'string' && price.trim() !== '')
  const isBelow = isGiven && Number(price) < cost
  const read = readBulkTiers(bulkTiers)
  const tiers = (read.ok && read.tiers) || []
  return [
    ...(isBelow
      ? [notice('price', `The price is below the cost of ${money.format(cost)} for one piece.`)]
      : []),
    ...tiers.flatMap((tier, at) =>
      tier.price < cost
        ? [
            notice(
              'bulkTiers',
              `The price of tier ${at + 1} is below the cost of ${money.format(cost)} for one piece.`,
            ),
          ]
        : [],
    ),
  ]
}

export function createReview(deps: {
  database: Database
  costs: ProductCosts
  currency: string
  locale: string | null
}): Review {
  const { database, costs, currency, locale } = deps
  const money = new Intl.NumberFormat(locale ?? 'en', { style: 'currency', currency })

  return {
    async of(draft) {
      const license = isLicense(draft['license']) ? draft['license'] : null
      const modelIds = idsIn(draft['stl_file_ids'])
      const gate = await readSaleGate(database.sql, { license, modelIds })
      const itemId = isUuid(draft['inventory_item_id']) ? draft['inventory_item_id'] : null
      const sheet = await costs.of({ itemId, modelIds })
      const cost = sheet?.unit_cost ?? null
      const faults = findProductFaults(draft).map(
        ({ field, message }): Finding => ({ kind: 'fault', field, message, stl_file_id: null }),
      )
      const licenses = gate.reasons.map(
        ({ kind, text, modelId }): Finding => ({
          kind,
          field: modelId === null ? 'license' : 'stl_file_ids',
          message: text,
          stl_file_id: modelId,
        }),
      )
      const below = cost === null ? [] : judgePrices(draft, cost, money)
      return {
        findings: [...faults, ...licenses, ...judgeMedia(draft), ...below],
        license_verdict: gate.verdict,
        attributions: gate.attributions,
        cost,
        cost_sheet: sheet,
        sold_as: itemId === null ? null : await findProductOfItem(database.sql, itemId),
      }
    },
  }
}
