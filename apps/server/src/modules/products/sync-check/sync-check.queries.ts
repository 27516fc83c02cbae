import type { SiteCheckOutcome } from '@pegasus/contracts/products/sync-check'
import type { Queryable } from '../../../platform/database/database.ts'
import { json } from '../../../platform/database/write-rows.ts'
import type { ProductPayload } from '../catalogue/product-content.ts'
import type { ComparedValues, StoredDifference } from './remote-snapshot.ts'

/** What the site has of a product, as far as we know without asking. */
export interface SentProduct {
  /** The publication that the site took last. */
  publication_id: string
  payload: ProductPayload
  is_under_way: boolean
  /** What was taken over from the site since. */
  accepted: ComparedValues
  differences: StoredDifference[]
}

/** Null for a product that this site never got. */
export async function findSent(
  sql: Queryable,
  productId: string,
  target: string,
): Promise<SentProduct | null> {
  const [row] = await sql<SentProduct[]>`
    select l.id as publication_id, l.payload,
           exists (select from publications u
                   where u.product_id = l.product_id and u.status in ('pending', 'sending')) as is_under_way,
           coalesce(c.accepted, '{}') as accepted, coalesce(c.differences, '[]') as differences
    from (
      select id, product_id, payload, target from publications
      where product_id = ${productId} and status = 'published' order by number desc limit 1
    ) l
    left join site_checks c on c.product_id = l.product_id and c.target = ${target}
    where l.target = ${target}`
  return row ?? null
}

/** Products on the site that nobody has compared since then, the longest unseen first. */
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

/** Whether the site has ever told of a product: one that never did may answer no such questions. */
export async function hasEverReported(sql: Queryable, target: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from site_checks where target = ${target} and known_at is not null) as found`
  return row.found
}

/** What a try found out, or why it found out nothing. */
export type CheckResult =
  | { outcome: Exclude<SiteCheckOutcome, 'unknown'>; differences: StoredDifference[]; told: ComparedValues }
  | { problem: string }

/** What of another site is known goes; what was known of this one stays where nothing was found out. */
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
    values (${productId}, ${target}, ${result.outcome}, ${now}, ${json(tx, result.differences)},
            ${json(tx, result.told)}, ${now})
    on conflict (product_id) do update
    set outcome = excluded.outcome, known_at = excluded.known_at, differences = excluded.differences,
        told = excluded.told, checked_at = excluded.checked_at, problem = null`
}

/** What is left of the differences once the catalogue says something else. */
export async function saveDifferences(
  tx: Queryable,
  productId: string,
  differences: readonly StoredDifference[],
): Promise<void> {
  await tx`
    update site_checks
    set differences = ${json(tx, differences)},
        outcome = case when outcome = 'differs' and ${differences.length === 0} then 'same' else outcome end
    where product_id = ${productId}`
}

/** The site has these values by itself; where that makes it have all of the product, nothing is left to be published. */
export async function writeAccepted(
  tx: Queryable,
  productId: string,
  { accepted, hasAll }: { accepted: ComparedValues; hasAll: boolean },
): Promise<void> {
  await tx`update site_checks set accepted = ${json(tx, accepted)} where product_id = ${productId}`
  if (hasAll) await tx`update products set published_revision = revision where id = ${productId}`
}

/** The site has just taken the product as it was sent. */
export async function forgetDifferences(tx: Queryable, productId: string, now: Date): Promise<void> {
  await tx`
    update site_checks
    set outcome = case when outcome = 'unknown' then outcome else 'same' end, differences = '[]', accepted = '{}',
        told = '{}', problem = null, checked_at = ${now}
    where product_id = ${productId}`
}
