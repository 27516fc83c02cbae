import {
  LICENSE_TYPES,
  allowsSale,
  forbidsSale,
  type LicenseType,
  requiresAttribution,
} from '@pegasus/contracts/stl-library/licenses'
import type { SaleVerdict } from '@pegasus/contracts/stl-library/models'

/** Fields of a model that decide whether its prints may be sold. */
export interface Licensed {
  license_type: LicenseType | null
  sale_allowed: boolean | null
}

/**
 * Decides whether prints of a model may be sold, and gives the reason as a readable message. If the terms of the
 * license are clear, the license decides. Otherwise, the value that a person entered decides. Without either, the
 * verdict is unknown.
 */
export function judgeSale({ license_type: license, sale_allowed: allowed }: Licensed): {
  verdict: SaleVerdict
  reason: string
} {
  if (license === null || !LICENSE_TYPES.includes(license))
    return { verdict: 'unknown', reason: 'No license is known.' }
  if (forbidsSale(license)) return { verdict: 'forbidden', reason: `${license} forbids selling prints.` }
  if (allowsSale(license)) return { verdict: 'allowed', reason: `${license} allows selling prints.` }
  if (allowed === null)
    return {
      verdict: 'unknown',
      reason: 'Nobody has decided yet whether this custom license allows selling prints.',
    }
  return allowed
    ? { verdict: 'allowed', reason: 'Selling prints was allowed for this custom license.' }
    : { verdict: 'forbidden', reason: 'This custom license does not allow selling prints.' }
}

/**
 * Returns the attribution line that a BY license requires in a listing: title, author, source and license.
 * Returns null if the license requires none.
 */
export function attributionOf(model: {
  title: string
  license_type: LicenseType | null
  attribution_url: string | null
  /** The address from which the file was fetched. It is used if no better source is known. */
  source_url: string | null
  metadata: { designer: string | null } | null
}): string | null {
  const { license_type: license, metadata } = model
  const url = model.attribution_url ?? model.source_url
  if (license === null || !requiresAttribution(license)) return null
  const author = metadata?.designer ? ` by ${metadata.designer}` : ''
  const source = url === null ? '' : ` (${url})`
  return `“${model.title}”${author}${source}, ${license}`
}
