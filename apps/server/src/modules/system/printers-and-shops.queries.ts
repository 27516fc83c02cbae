import { MAX_STOPPED_PRINTERS, type PrintersAndShops, type ShopState } from '@pegasus/contracts/system'
import type { Queryable } from '../../platform/database/database.ts'

type Printers = PrintersAndShops['printers']

/** Counts the printers, and lists those in the states `error` and `offline`. */
export async function readPrinters(sql: Queryable): Promise<Printers> {
  const [[counts], stopped] = await Promise.all([
    sql<[Omit<Printers, 'stopped'>]>`
      select count(*)::int as total, count(*) filter (where state = 'error')::int as error,
        count(*) filter (where state = 'offline')::int as offline
      from printers where deleted_at is null`,
    sql<Printers['stopped']>`
      select id, name, state, state_reason as reason from printers
      where deleted_at is null and state in ('error', 'offline')
      order by state = 'offline', lower(name), id limit ${MAX_STOPPED_PRINTERS}`,
  ])
  return { ...counts, stopped }
}

/** Returns the state of the connection to a shop's site. */
export async function readShop(
  sql: Queryable,
  { kind, url }: Pick<ShopState, 'kind' | 'url'>,
): Promise<ShopState> {
  const [row] = await sql<[Omit<ShopState, 'kind' | 'url'>]>`
    select c.compared_at, c.failed_at, c.problem,
      coalesce(c.failed_at > coalesce(c.compared_at, '-infinity'), false) as is_failing,
      (select count(*)::int from refused_orders) as refused_orders,
      (select count(*)::int from shipments s
       where s.notify_shop and s.told_at is null and s.undone_at is null and s.tell_problem is not null) as refused_parcels,
      (select count(*)::int from site_checks p join products on products.id = p.product_id
       where p.target = ${url} and p.problem is not null and products.deleted_at is null) as unchecked_products
    from (select ${url}::text as url) shop left join shop_comparisons c using (url)`
  return { kind, url, ...row }
}
