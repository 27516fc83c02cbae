import type { ModelUses } from '@pegasus/contracts/stl-library/model-changes'
import type { Queryable } from '../../../platform/database/database.ts'

const MAX_USES = 1000

/** Reads where a model is used, from the views that other modules provide. */
export async function readUses(sql: Queryable, modelId: string): Promise<ModelUses> {
  const [items, printJobs, products] = await Promise.all([
    sql<ModelUses['items'][number][]>`
      select id, name, sku, quantity from stock_items
      where stl_file_id = ${modelId} and deleted_at is null order by lower(name), id limit ${MAX_USES}`,
    sql<ModelUses['print_jobs'][number][]>`
      select j.id, j.status, j.quantity, v.number as version
      from queue_jobs j left join stl_versions v on v.id = j.stl_version_id
      where j.stl_file_id = ${modelId} and j.deleted_at is null
      order by j.created_at desc, j.id desc limit ${MAX_USES}`,
    sql<ModelUses['products'][number][]>`
      select p.id, p.name, p.slug, p.status
      from catalogue_models l join catalogue_products p on p.id = l.product_id
      where l.stl_file_id = ${modelId} and p.deleted_at is null order by lower(p.name), p.id limit ${MAX_USES}`,
  ])
  return { items, print_jobs: printJobs, products }
}
