import type { SiteCheckOutcome } from '@pegasus/contracts/products/sync-check'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { ProductPayload } from '../catalog/product-content.ts'
import type { ComparedValues, StoredDifference } from '../catalog/products.queries.ts'

/** The last known state of a product on the site. */
export interface SentProduct {
  /** The last publication that the site accepted. */
  publication_id: string
  payload: ProductPayload
  is_under_way: boolean
  /** Values that were accepted from the site since that publication. */
  accepted: ComparedValues
  differences: StoredDifference[]
}

/**
 * Finds the last known state of a product on a site. Returns null for a product that the site never received.
 */
export const findSent = (sql: Queryable, productId: string, target: string) =>
  firstRow(sql<SentProduct[]>`
    select l.id as publication_id, l.payload,
           exists (select from publications u
                   where u.product_id = l.product_id and u.status in ('pending', 'sending')) as is_under_way,
           coalesce(c.accepted, '{}') as accepted, coalesce(c.differences, '[]') as differences
    from (
      select id, product_id, payload, target from publications
      where product_id = ${productId} and status = 'published' order by number desc limit 1
    ) l
    left join site_checks c on c.product_id = l.product_id and c.target = ${target}
    where l.target = ${target}`)

/** Lists published products that were last compared before this time, the longest ago first. */
export const listUnchecked = (
  sql: Queryable,
  { target, before, limit }: { target: string; before: Date; limit: number },
): Promise<{ id: string }[]> =>
  sql<{ id: string }[]>`
    select p.id
    from products p
    left join site_checks c on c.product_id = p.id and c.target = ${target}
    cross join lateral (
      select l.target from publications l
      where l.product_id = p.id and l.status = 'published' order by l.number desc limit 1
    ) sent
    where p.deleted_at is null and sent.target = ${target} and coalesce(c.checked_at, p.published_at) <= ${before}
      and not exists (select from publications u where u.product_id = p.id and u.status in ('pending', 'sending'))
    order by coalesce(c.checked_at, p.published_at), p.id
    limit ${limit}`

/** Returns whether the site has ever reported a product. If not, it may not support reading products. */
export async function hasEverReported(sql: Queryable, target: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from site_checks where target = ${target} and known_at is not null) as found`
  return row.found
}

/** Result of an attempt to compare. */
export type CheckResult =
  | {
      outcome: Exclude<SiteCheckOutcome, 'unknown'>
      differences: StoredDifference[]
      reported: ComparedValues
    }
  | { problem: string }

/**
 * Writes the result of a check, and deletes results of another site. If the check failed, records the problem and keeps
 * the earlier result.
 */
export async function writeCheck(
  tx: Queryable,
  productId: string,
  check: { target: string; result: CheckResult; now: Date },
): Promise<void> {
  const { target, result, now } = check
  await tx`delete from site_checks where product_id = ${productId} and target <> ${target}`
  if ('problem' in result) {
    await tx`
      insert into site_checks (product_id, target, problem, checked_at)
      values (${productId}, ${target}, ${result.problem}, ${now})
      on conflict (product_id) do update set problem = excluded.problem, checked_at = excluded.checked_at`
    return
  }
  await tx`
    insert into site_checks (product_id, target, outcome, known_at, differences, told, checked_at)
    values (${productId}, ${target}, ${result.outcome}, ${now}, ${tx.json(result.differences)},
            ${tx.json(result.reported)}, ${now})
    on conflict (product_id) do update
    set outcome = excluded.outcome, known_at = excluded.known_at, differences = excluded.differences,
        told = excluded.told, checked_at = excluded.checked_at, problem = null`
}

/** Replaces the stored differences of a product. Called after the product was changed in the catalog. */
export async function saveDifferences(
  tx: Queryable,
  productId: string,
  differences: readonly StoredDifference[],
): Promise<void> {
  await tx`
    update site_checks
    set differences = ${tx.json(differences)},
        outcome = case when outcome = 'differs' and ${differences.length === 0} then 'same' else outcome end
    where product_id = ${productId}`
}

/**
 * Records values that were accepted from the site. `hasAll` means that the site then has everything that our product
 * contains, so the current revision counts as published.
 */
export async function writeAccepted(
  tx: Queryable,
  productId: string,
  { accepted, hasAll }: { accepted: ComparedValues; hasAll: boolean },
): Promise<void> {
  await tx`update site_checks set accepted = ${tx.json(accepted)} where product_id = ${productId}`
  if (hasAll) await tx`update products set published_revision = revision where id = ${productId}`
}

/** Deletes the stored differences. Called after the site has accepted the product. */
export async function forgetDifferences(tx: Queryable, productId: string, now: Date): Promise<void> {
  await tx`
    update site_checks
    set outcome = case when outcome = 'unknown' then outcome else 'same' end, differences = '[]', accepted = '{}',
        told = '{}', problem = null, checked_at = ${now}
    where product_id = ${productId}`
}
