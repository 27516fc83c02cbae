import type { LicenseType } from '@pegasus/contracts/stl-library/licenses'
import type { ProductLicense } from '@pegasus/contracts/products/product-rules'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { attributionOf, judgeSale } from './license.ts'

/** License data of a linked model. A license that is null or not in our list counts as unknown. */
export interface LinkedModel
  extends Row<'stl_files', 'id' | 'title' | 'sale_allowed' | 'attribution_url' | 'source_url'> {
  license_type: LicenseType | null
  metadata: { designer: string | null } | null
}

export interface GateReason {
  /** The model that the reason concerns, or null for the product itself. */
  modelId: string | null
  kind: 'block' | 'notice'
  /** A sentence that is shown to people. */
  text: string
}

export interface SaleGate {
  /** `blocked` means that selling needs an override with an explanation. `notice` is only shown. */
  verdict: 'allowed' | 'notice' | 'blocked'
  reasons: GateReason[]
  /** Attribution lines that the listing has to show. */
  attributions: string[]
}

const OWN_NOTICE: Readonly<Partial<Record<ProductLicense, string>>> = {
  custom: 'The product has a custom license. Please make sure that it allows selling prints.',
}

function judgeProduct(license: ProductLicense | null, hasModels: boolean): GateReason[] {
  const about = (kind: GateReason['kind'], text: string): GateReason[] => [{ modelId: null, kind, text }]
  if (license === 'cc-by-nc')
    return about('block', "The product's own license, CC BY-NC, forbids selling prints.")
  if (license === null)
    return hasModels
      ? []
      : about('notice', 'No model is linked and no license is set, so this counts as your own design.')
  const notice = OWN_NOTICE[license]
  return notice === undefined ? [] : about('notice', notice)
}

function judgeModel(model: LinkedModel): GateReason[] {
  const { verdict, reason } = judgeSale(model)
  const about = { modelId: model.id }
  if (verdict !== 'allowed') return [{ ...about, kind: 'block', text: `“${model.title}”: ${reason}` }]
  const isOwed = attributionOf(model) !== null
  const isNamed = model.metadata?.designer || model.attribution_url !== null || model.source_url !== null
  if (!isOwed || isNamed) return []
  const text = `“${model.title}” requires an attribution, but its author is not known. Please add an attribution URL.`
  return [{ ...about, kind: 'notice', text }]
}

/**
 * Decides whether a product may be sold, from the licenses of the linked models and the product's own license. A
 * product with an unknown license may not be sold. A product without models and without a license counts as an
 * original design.
 */
export function judgeGate(product: {
  license: ProductLicense | null
  models: readonly LinkedModel[]
}): SaleGate {
  const { license, models } = product
  const reasons = [...judgeProduct(license, models.length > 0), ...models.flatMap(judgeModel)]
  const attributions = [...new Set(models.map(attributionOf).filter((line) => line !== null))]
  if (reasons.some(({ kind }) => kind === 'block')) return { verdict: 'blocked', reasons, attributions }
  return { verdict: reasons.length > 0 ? 'notice' : 'allowed', reasons, attributions }
}

/**
 * Reads the license gate of a product with these models. Deleted models count, because the product was made from them.
 * A model that no longer exists blocks the product, because its license is unknown.
 */
export async function readSaleGate(
  sql: Queryable,
  product: { license: ProductLicense | null; modelIds: readonly string[] },
): Promise<SaleGate> {
  const ids = [...new Set(product.modelIds)]
  const rows = await sql<LinkedModel[]>`
    select f.id, f.title, f.license_type, f.sale_allowed, f.attribution_url, f.source_url, v.metadata
    from stl_files f join stl_versions v on v.id = f.current_version_id
    where f.id = any(${ids}::uuid[])`
  const found = new Map(rows.map((row) => [row.id, row]))
  const unknown = {
    license_type: null,
    sale_allowed: null,
    attribution_url: null,
    source_url: null,
    metadata: null,
  }
  const models = ids.map((id) => found.get(id) ?? { id, title: 'A model that no longer exists', ...unknown })
  return judgeGate({ license: product.license, models })
}
